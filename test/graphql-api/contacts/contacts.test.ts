import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact, expose } from '../../harness/campaign.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, refusals, tryMutation } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';
import { audited, contactActions, type Shown } from './contact-actions.ts';

const api = useSharedApi();

const { by, upsert } = contactActions(api);

describe.concurrent('an upsert', () => {
  test('creates a contact, then replaces and removes traits by name', async () => {
    const tenant = await createTenant();
    const userId = 'user/1 ü';
    const made = await upsert(tenant, {
      userId,
      traits: { plan: 'free', age: 5, at: { city: 'Pune' } },
    });
    expect(made).toMatchObject({
      userId,
      anonymousId: null,
      traits: { plan: 'free', age: 5, at: { city: 'Pune' } },
      suppressedAt: null,
      consents: [],
    });
    const changed = await upsert(tenant, {
      userId,
      anonymousId: 'anon-1',
      traits: { plan: 'pro', at: { state: 'MH' } },
      removeTraits: ['age', 'never'],
    });
    expect(changed).toMatchObject({
      id: made.id,
      anonymousId: 'anon-1',
      traits: { plan: 'pro', at: { state: 'MH' } },
    });
    expect(
      await ask(
        by(tenant),
        'query ($userId: String!) { contactByUserId(userId: $userId) { id } }',
        { userId },
      ),
    ).toEqual({
      contactByUserId: { id: made.id },
    });
  });

  test('records the names of changed traits in the audit log, and no values', async () => {
    const tenant = await createTenant();
    await upsert(tenant, {
      userId: 'secret-user',
      traits: { email: 'secret@example.com', same: 1 },
    });
    await upsert(tenant, {
      userId: 'secret-user',
      anonymousId: 'secret-anonymous',
      traits: { phone: 'secret', same: 1 },
      removeTraits: ['email'],
    });
    await upsert(tenant, { userId: 'secret-user', traits: { phone: 'secret' } });
    const entries = (await audited(tenant)) as { after: { changed: string[] } }[];
    expect(entries).toMatchObject([{ action: 'contact.create' }, { action: 'contact.update' }]);
    expect(entries.map(({ after }) => after.changed.toSorted())).toEqual([
      ['traits.email', 'traits.same'],
      ['anonymousId', 'traits.email', 'traits.phone'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  test('does not change numbers sent by SDKs', async () => {
    const tenant = await createTenant();
    await sql(
      `INSERT INTO contacts (id, workspace_id, user_id, traits)
       VALUES (gen_random_uuid(), $1, 'u', '{"big": 12345678901234567890.12}')`,
      [tenant.workspaceId],
    );
    await upsert(tenant, { userId: 'u', traits: { plan: 'pro' } });
    const [row] = await sql(
      `SELECT traits ->> 'big' AS big FROM contacts WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    expect(row).toEqual({ big: '12345678901234567890.12' });
  });

  test('is newer than earlier identify events, and older than later ones', async () => {
    const tenant = await createTenant();
    await upsert(tenant, { userId: 'u', traits: { a: 1 } });
    const later = new Date('2090-01-01');
    await sql('UPDATE contacts SET traits_at = $2 WHERE workspace_id = $1', [
      tenant.workspaceId,
      later,
    ]);
    await upsert(tenant, { userId: 'u', traits: { a: 2 } });
    const rows = await sql('SELECT traits_at FROM contacts WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([{ traits_at: later }]);
  });

  test('several concurrent upserts create one contact, with all of their fields', async () => {
    const tenant = await createTenant();
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        upsert(tenant, { userId: 'u', traits: { [`t${n}`]: n } }),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const { contactByUserId } = await ask<{ contactByUserId: Shown }>(
      by(tenant),
      '{ contactByUserId(userId: "u") { traits } }',
    );
    expect(contactByUserId.traits).toEqual({ t0: 0, t1: 1, t2: 2, t3: 3, t4: 4, t5: 5 });
  });

  test('reports all errors at once', async () => {
    const tenant = await createTenant();
    const input = {
      userId: '',
      anonymousId: 'x'.repeat(513),
      traits: { a: '\u0000' },
      removeTraits: [''],
    };
    expect(await refusals(by(tenant), 'contactUpsert', { input })).toEqual([
      'BAD_USER_INPUT input.userId',
      'BAD_USER_INPUT input.anonymousId',
      'BAD_USER_INPUT input.traits',
      'BAD_USER_INPUT input.removeTraits.0',
    ]);
    const fault = (traits: unknown) =>
      refusals(by(tenant), 'contactUpsert', { input: { userId: 'u', traits } });
    const wrong = [
      [1],
      { a: { b: { c: { d: { e: {} } } } } },
      { ['k'.repeat(257)]: 1 },
      { a: 'x'.repeat(10_241) },
      Object.fromEntries(Array.from({ length: 7 }, (_, n) => [n, 'x'.repeat(10_000)])),
    ];
    for (const traits of wrong)
      expect(await fault(traits)).toEqual(['BAD_USER_INPUT input.traits']);
    const both = { userId: 'u', traits: { a: 1 }, removeTraits: ['a'] };
    expect(await refusals(by(tenant), 'contactUpsert', { input: both })).toEqual([
      'BAD_USER_INPUT input.removeTraits',
    ]);
    expect(
      await sql('SELECT 1 FROM contacts WHERE workspace_id = $1', [tenant.workspaceId]),
    ).toEqual([]);
  });

  test('cannot make traits exceed the limit, but can shrink larger ones', async () => {
    const tenant = await createTenant();
    const large = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [`k${n}`, 'x'.repeat(10_000)]),
    );
    await upsert(tenant, { userId: 'u', traits: large });
    const more = { userId: 'u', traits: { more: 'x'.repeat(9_000) } };
    expect(await refusals(by(tenant), 'contactUpsert', { input: more })).toEqual([
      'TRAITS_TOO_LARGE input.traits',
    ]);
    await sql(
      `UPDATE contacts SET traits = traits || jsonb_build_object('huge', repeat('x', 300000))
       WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    const shrunk = await upsert(tenant, { userId: 'u', removeTraits: ['k0'] });
    expect(shrunk).toMatchObject({ traits: null });
    expect(shrunk.traitsBytes).toBeGreaterThan(300_000);
    const small = await upsert(tenant, { userId: 'u', removeTraits: ['huge'] });
    expect(Object.keys(small.traits as object)).toHaveLength(5);
  });
});

describe.concurrent('the data shown about a person', () => {
  test('includes devices without their tokens, and recent exposures', async () => {
    const tenant = await createTenant();
    const { workspaceId } = tenant;
    const { contactId, userId } = await createContact(workspaceId);
    const token = 'abcdefghijklmnopqrstuvwxyz';
    const device = (of: string, token: string) =>
      sql(
        `INSERT INTO devices (id, workspace_id, token, platform, contact_id)
         VALUES (gen_random_uuid(), $1, $2, 'ios', $3)`,
        [workspaceId, token, of],
      );
    await device(contactId, token);
    await device(userId, 'short');
    await device('somebody-else', 'another-token-of-another');
    await expose(workspaceId, userId, 'older', 'impression', 60);
    await expose(workspaceId, userId, 'newer', 'clicked');
    const document = `query ($id: ID!) { contact(id: $id) {
      devices { platform status maskedToken } recentExposures { campaignId eventType }
    } }`;
    const id = encodeNodeId('Contact', contactId);
    const { contact } = await ask<{ contact: Record<string, { maskedToken: string }[]> }>(
      by(tenant, 'member'),
      document,
      { id },
    );
    expect(contact.recentExposures).toEqual([
      { campaignId: 'newer', eventType: 'clicked' },
      { campaignId: 'older', eventType: 'impression' },
    ]);
    expect(contact.devices!.map(({ maskedToken }) => maskedToken).toSorted()).toEqual([
      'abcd…wxyz',
      's…t',
    ]);
  });
});

test('members can read but not change contacts', async () => {
  const tenant = await createTenant();
  const { contactId } = await createContact(tenant.workspaceId);
  const id = encodeNodeId('Contact', contactId);
  await ask(by(tenant, 'member'), '{ contacts(first: 1) { nodes { traits } } }');
  for (const [name, args] of [
    ['contactUpsert', { input: { userId: 'u' } }],
    ['contactSuppress', { id }],
    ['contactUnsuppress', { id }],
    ['consentSet', { id, input: { purpose: 'marketing', status: 'GRANTED' } }],
    ['consentBulkSet', { input: { consents: [] } }],
  ] as const) {
    const answer = await tryMutation(by(tenant, 'member'), name, args, '__typename');
    expect(answer.errors?.[0]?.extensions?.code, name).toBe('FORBIDDEN');
  }
});

test('over REST, a contact is retrieved and a consent recorded', async () => {
  const tenant = await createTenant();
  const { contactId, userId } = await createContact(tenant.workspaceId, {
    traits: { plan: 'pro' },
  });
  const token = await tokenFor(tenant.organizationId);
  const path = `/api/v1/contacts/${contactId}`;
  const post = async (body: unknown, as = token) => {
    const headers = { 'content-type': 'application/json' };
    return api().rest(`${path}/consents`, {
      method: 'POST',
      token: as,
      headers,
      body: JSON.stringify(body),
    });
  };
  const set = await post({ purpose: 'marketing', status: 'GRANTED', source: 'till' });
  const consent = {
    purpose: 'marketing',
    status: 'GRANTED',
    source: 'till',
    version: 1,
    recorded_at: expect.any(String),
  };
  expect([set.status, set.json()]).toEqual([200, { status: 'SUCCESS', consent }]);
  expect((await api().rest(path, { token })).json()).toMatchObject({
    status: 'SUCCESS',
    contact: { id: contactId, user_id: userId, traits: { plan: 'pro' }, suppressed_at: null },
    consents: [consent],
  });
  expect((await post({ purpose: 'marketing', status: 'MAYBE' })).status).toBe(400);
  const member = await tokenFor(tenant.organizationId, { roles: ['member'] });
  expect((await post({ purpose: 'marketing', status: 'DENIED' }, member)).status).toBe(403);
});
