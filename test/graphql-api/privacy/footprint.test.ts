// Which IDs belong to one person, and which do not.

import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { eventRow, insertRows, type Row } from '../harness/report-rows.ts';
import { type Caller, useClockedApi } from '../partner/clocked-api.ts';

const api = useClockedApi();
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  tenant = await createTenant({ databaseUrl: api().ownerUrl });
  caller = await api().caller(tenant.organizationId);
});

/** IDs that only one test uses. */
const ids = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map(name => [name, `${name}-${uuidv7()}`])) as Record<Name, string>;

async function insertEvents(...events: Row[]): Promise<void> {
  await insertRows(
    'events_raw',
    events.map(fields => eventRow(tenant, fields)),
  );
}

async function insertContact(userId: string): Promise<string> {
  const id = uuidv7();
  await api().sql('INSERT INTO contacts (id, workspace_id, user_id) VALUES ($1, $2, $3)', [
    id,
    tenant.workspaceId,
    userId,
  ]);
  return id;
}

type Footprint = {
  readonly userIds: string[];
  readonly anonymousIds: string[];
  readonly sharedAnonymousIds: string[];
  readonly otherContactIds: string[];
  readonly tables: { readonly table: string; readonly before: number | null }[];
};

async function footprintOf(body: object): Promise<Footprint> {
  const answer = await caller.post('/api/v1/people/footprint', body);
  expect(answer.status, answer.text).toBe(200);
  const { footprint } = answer.json() as { footprint: Record<string, never> };
  return {
    userIds: footprint.user_ids!,
    anonymousIds: footprint.anonymous_ids!,
    sharedAnonymousIds: footprint.shared_anonymous_ids!,
    otherContactIds: footprint.other_contact_ids!,
    tables: footprint.tables!,
  };
}

function eventsIn({ tables }: Footprint): number | null | undefined {
  return tables.find(({ table }) => table === 'events_raw')?.before;
}

describe.concurrent('a footprint', () => {
  test('excludes a device that another person used, except for rows that name the person', async () => {
    const { ada, bob, own, shared } = ids('ada', 'bob', 'own', 'shared');
    await insertEvents(
      { user_id: ada, anonymous_id: own },
      { user_id: ada, anonymous_id: shared },
      { anonymous_id: own },
      { anonymous_id: shared },
      { user_id: bob, anonymous_id: shared },
    );
    const found = await footprintOf({ user_id: ada });
    expect(found).toMatchObject({
      userIds: [ada],
      anonymousIds: [own],
      sharedAnonymousIds: [shared],
      otherContactIds: [],
    });
    expect(eventsIn(found)).toBe(3);
    const answer = await caller.post('/api/v1/people/footprint', { anonymous_id: shared });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Several people')]);
  });

  test('follows an alias, but not to another contact', async () => {
    const { earlier, ada, victim, device } = ids('earlier', 'ada', 'victim', 'device');
    const contactId = await insertContact(ada);
    await insertContact(victim);
    const alias = (previousId: string) => ({
      type: 'alias',
      event: '',
      user_id: ada,
      anonymous_id: '',
      extra: JSON.stringify({ previousId }),
    });
    await insertEvents(alias(earlier), alias(victim), { user_id: earlier, anonymous_id: '' });
    await insertEvents(alias(device), { anonymous_id: device });
    await insertEvents({ user_id: victim, anonymous_id: '' });
    const found = await footprintOf({ contact_id: contactId });
    expect(found.userIds).toEqual([ada, contactId, device, earlier].toSorted());
    expect(found.anonymousIds).toEqual([device]);
    expect(found.otherContactIds).toEqual([victim]);
    expect(eventsIn(found)).toBe(5);
  });

  test('of a person who never signed in is the device', async () => {
    const { device } = ids('device');
    await insertEvents({ anonymous_id: device }, { anonymous_id: device });
    const found = await footprintOf({ anonymous_id: device });
    expect(found).toMatchObject({ userIds: [], anonymousIds: [device] });
    expect(eventsIn(found)).toBe(2);
  });

  test('needs exactly one ID, and an owner', async () => {
    for (const body of [{}, { user_id: 'a', anonymous_id: 'b' }, { user_id: '' }])
      expect((await caller.post('/api/v1/people/footprint', body)).status).toBe(400);
    const member = await api().caller(tenant.organizationId, 'member');
    const answer = await member.post('/api/v1/people/footprint', { user_id: 'a' });
    expect(answer.status).toBe(403);
  });
});
