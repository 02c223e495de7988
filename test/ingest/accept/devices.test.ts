// The rules for device tokens on a real Postgres: any grouping of changes has the same result as a
// model that applies one change at a time.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { changeDevices, type DeviceChange } from '../../../ingest/accept/change-devices.ts';
import { type DeviceRow, deviceRows, newIosToken } from '../../harness/device.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';

const DAY_MS = 86_400_000;
const QUARANTINE_MS = 30 * DAY_MS;
const START_MS = Date.UTC(2026, 0, 1);
const RUNS = process.env.TEST_LONG === undefined ? 60 : 2_000;
/** About 30 ms per run, more on a busy machine. */
const TIMEOUT_MS = Math.max(600_000, RUNS * 300);

/** Two connections, as two threads have. */
const clients: pg.Client[] = [];
let tenant: Tenant;
let secondPropertyId: string;
beforeAll(async () => {
  for (let i = 0; i < 2; i++) {
    const client = new pg.Client({ connectionString: inject('databaseUrls').system });
    await client.connect();
    // Forces index scans, as on a large table. Rows are then read in the order of the given keys.
    await client.query(
      'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
    );
    clients.push(client);
  }
  tenant = await createTenant();
  secondPropertyId = crypto.randomUUID();
  await sql('INSERT INTO properties (id, workspace_id, name) VALUES ($1, $2, $3)', [
    secondPropertyId,
    tenant.workspaceId,
    'App',
  ]);
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

type Said = { contactId: string; anonymousId: string; appVersion: string; userAgent: string };
const NOTHING_SAID: Said = { contactId: '', anonymousId: '', appVersion: '', userAgent: '' };

function register(
  token: string,
  atMs: number,
  said: Partial<Said> = {},
  rest: { propertyId?: string | undefined; platform?: 'ios' | 'android' } = {},
): DeviceChange {
  const { propertyId, platform = 'ios' } = rest;
  const { workspaceId } = tenant;
  return {
    kind: 'register',
    registration: { workspaceId, propertyId, token, platform, atMs, ...NOTHING_SAID, ...said },
  };
}

function deactivate(token: string, atMs: number, reason = '', propertyId?: string): DeviceChange {
  const { workspaceId } = tenant;
  return {
    kind: 'deactivate',
    deactivation: { workspaceId, propertyId, tokens: [token], reason, atMs },
  };
}

/** Applies each change in its own statement, one after the other. */
async function apply(...changes: DeviceChange[]): Promise<void> {
  for (const change of changes) await changeDevices(clients[0]!, [change]);
}

async function rowsOf(...tokens: string[]): Promise<DeviceRow[]> {
  const rows = await deviceRows(tenant.workspaceId);
  return rows.filter(row => tokens.includes(row.token));
}

describe('the quarantine', () => {
  test.each([
    ['a millisecond before its end', QUARANTINE_MS - 1, 1],
    ['at its very end', QUARANTINE_MS, 1],
    ['a millisecond after its end', QUARANTINE_MS + 1, 2],
  ])('a token that comes back %s', async (_, afterMs, epoch) => {
    const token = newIosToken();
    const [goneMs, backMs] = [START_MS + DAY_MS, START_MS + DAY_MS + afterMs];
    const first = { contactId: 'contact-1', anonymousId: 'anonymous-1', appVersion: '1' };
    await apply(
      register(token, START_MS, first),
      deactivate(token, goneMs, 'apns_inactive'),
      register(token, backMs, { appVersion: '2' }),
    );
    const [row, ...others] = await rowsOf(token);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      status: 'ACTIVE',
      epoch,
      contact_id: epoch === 1 ? 'contact-1' : null,
      anonymous_id: epoch === 1 ? 'anonymous-1' : null,
      app_version: '2',
      created_at: new Date(START_MS),
      epoch_started_at: new Date(epoch === 1 ? START_MS : backMs),
      registered_at: new Date(backMs),
      deactivated_at: null,
      deactivation_reason: null,
    });
  });

  test('does not depend on daylight saving time in the session’s time zone', async () => {
    const client = new pg.Client({ connectionString: inject('databaseUrls').system });
    await client.connect();
    await client.query(`SET TIME ZONE 'Europe/Berlin'`);
    const goneMs = Date.UTC(2026, 2, 15);
    const token = newIosToken();
    for (const change of [
      register(token, goneMs - 1),
      deactivate(token, goneMs),
      register(token, goneMs + QUARANTINE_MS),
    ])
      await changeDevices(client, [change]);
    await client.end();
    expect((await rowsOf(token))[0]).toMatchObject({ epoch: 1 });
  });

  test('begins with the first deactivation, not with a repeat', async () => {
    const token = newIosToken();
    await apply(
      register(token, START_MS),
      deactivate(token, START_MS, 'first'),
      deactivate(token, START_MS + 20 * DAY_MS, 'second'),
    );
    expect((await rowsOf(token))[0]).toMatchObject({
      deactivated_at: new Date(START_MS),
      deactivation_reason: 'first',
    });
    await apply(register(token, START_MS + 31 * DAY_MS));
    expect((await rowsOf(token))[0]).toMatchObject({ epoch: 2 });
  });
});

describe('groups', () => {
  test('several registrations of one device are merged in order', async () => {
    const token = newIosToken();
    await changeDevices(clients[0]!, [
      register(token, START_MS, { contactId: 'contact-1', appVersion: '1' }),
      register(token, START_MS + 1, { appVersion: '2' }, { platform: 'android' }),
      register(token, START_MS + 2, { anonymousId: 'anonymous-1' }),
    ]);
    expect(await rowsOf(token)).toEqual([
      expect.objectContaining({
        contact_id: 'contact-1',
        anonymous_id: 'anonymous-1',
        app_version: '2',
        platform: 'ios',
        created_at: new Date(START_MS),
        registered_at: new Date(START_MS + 2),
      }),
    ]);
  });

  test('changes of different tokens need two statements, regardless of their number', async () => {
    const changes = Array.from({ length: 50 }, () => newIosToken()).flatMap(token => [
      register(token, START_MS),
      deactivate(token, START_MS + 1),
    ]);
    let statements = 0;
    await changeDevices(
      {
        query: statement => {
          statements++;
          return clients[0]!.query(statement);
        },
      },
      changes,
    );
    expect(statements).toBe(2);
  });

  test('two connections that change the same devices in opposite orders do not deadlock', async () => {
    const tokens = Array.from({ length: 40 }, newIosToken);
    const backwards = tokens.toReversed();
    const change = async (client: pg.Client, list: readonly string[]) => {
      for (let round = 0; round < 25; round++) {
        const atMs = START_MS + round;
        await changeDevices(client, [
          ...list.map(token => register(token, atMs)),
          ...list.map(token => deactivate(token, atMs)),
          ...list.map(token => register(token, atMs)),
        ]);
      }
    };
    await Promise.all([change(clients[0]!, tokens), change(clients[1]!, backwards)]);
    const rows = await rowsOf(...tokens);
    expect(rows.map(row => [row.status, row.epoch])).toEqual(tokens.map(() => ['ACTIVE', 1]));
  });
});

test('any sequence in any grouping has the same result as the model', {
  timeout: TIMEOUT_MS,
}, async () => {
  const maybe = (value: string) => fc.constantFrom('', '', value, `${value}-other`);
  const command = fc.record({
    kind: fc.constantFrom('register' as const, 'deactivate' as const),
    token: fc.nat(1),
    property: fc.nat(2),
    platform: fc.constantFrom('ios' as const, 'android' as const),
    said: fc.record({
      contactId: maybe('contact'),
      anonymousId: maybe('anonymous'),
      appVersion: maybe('version'),
      userAgent: maybe('agent'),
    }),
    reason: maybe('reason'),
    pauseMs: fc.constantFrom(0, 0, 1, DAY_MS, QUARANTINE_MS - 1, QUARANTINE_MS, QUARANTINE_MS + 1),
    endsGroup: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 24 }), async commands => {
      const tokens = [newIosToken(), newIosToken()];
      const properties = [undefined, tenant.propertyId, secondPropertyId];
      const model = new Map<string, Modelled>();
      let nowMs = START_MS;
      let group: DeviceChange[] = [];
      for (const { kind, platform, said, reason, pauseMs, endsGroup, ...at } of commands) {
        nowMs += pauseMs;
        const [token, propertyId] = [tokens[at.token]!, properties[at.property]];
        const change =
          kind === 'register'
            ? register(token, nowMs, said, { propertyId, platform })
            : deactivate(token, nowMs, reason, propertyId);
        group.push(change);
        follow(model, change);
        if (!endsGroup) continue;
        await changeDevices(clients[0]!, group);
        group = [];
      }
      if (group.length > 0) await changeDevices(clients[0]!, group);
      const expected = [...model.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
      const stored = await rowsOf(...tokens);
      expect(stored.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

type Modelled = { -readonly [Key in keyof DeviceRow]: DeviceRow[Key] };

function orderOf({ token, property_id }: Modelled): string {
  return `${token} ${property_id ?? ''}`;
}

function follow(model: Map<string, Modelled>, change: DeviceChange): void {
  if (change.kind === 'deactivate') {
    const { tokens, propertyId, reason, atMs } = change.deactivation;
    for (const row of model.values()) {
      const isMeant = propertyId === undefined || propertyId === row.property_id;
      if (row.token !== tokens[0] || !isMeant || row.status === 'INACTIVE') continue;
      row.status = 'INACTIVE';
      row.deactivated_at = new Date(atMs);
      row.deactivation_reason = reason === '' ? null : reason;
    }
    return;
  }
  const { registration } = change;
  const { token, propertyId = null, platform, atMs } = registration;
  const at = new Date(atMs);
  const earlier = model.get(`${token} ${propertyId}`);
  const isOver =
    earlier?.deactivated_at != null && atMs - earlier.deactivated_at.getTime() > QUARANTINE_MS;
  const life = isOver ? undefined : earlier;
  model.set(`${token} ${propertyId}`, {
    property_id: propertyId,
    token,
    platform,
    status: 'ACTIVE',
    epoch: (earlier?.epoch ?? 1) + (isOver ? 1 : 0),
    contact_id: registration.contactId || (life?.contact_id ?? null),
    anonymous_id: registration.anonymousId || (life?.anonymous_id ?? null),
    app_version: registration.appVersion || (life?.app_version ?? null),
    user_agent: registration.userAgent || (life?.user_agent ?? null),
    created_at: earlier?.created_at ?? at,
    epoch_started_at: life?.epoch_started_at ?? at,
    registered_at: at,
    deactivated_at: null,
    deactivation_reason: null,
  });
}
