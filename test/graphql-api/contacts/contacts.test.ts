import { describe, expect, test } from 'vitest';
import { contactsPage } from '../../../graphql-api/contacts/contact.reads.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { createContact, expose } from '../../harness/campaign.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const deps = useDeps();

const by = (tenant: Tenant, role: Role = 'owner') => ({ api: api(), tenant, role });

type Shown = { readonly id: string; readonly [field: string]: unknown };

const ALL = `contact {
  id userId anonymousId traits traitsBytes suppressedAt consents { purpose status version source }
}`;

async function upsert(tenant: Tenant, input: Readonly<Record<string, unknown>>): Promise<Shown> {
  return (await mutate<{ contact: Shown }>(by(tenant), 'contactUpsert', { input }, ALL)).contact;
}

async function change(
  tenant: Tenant,
  name: string,
  id: string,
  input?: Readonly<Record<string, unknown>>,
): Promise<Shown> {
  const args = { id, ...(input && { input }) };
  return (await mutate<{ contact: Shown }>(by(tenant), name, args, ALL)).contact;
}

async function audited({ workspaceId }: Tenant): Promise<unknown[]> {
  return sql('SELECT action, before, after FROM audit_log WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ]);
}

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

describe.concurrent('suppression', () => {
  test('lasts until it is ended; repeats have no effect', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    const suppressed = await change(tenant, 'contactSuppress', id);
    expect(suppressed.suppressedAt).toEqual(expect.any(String));
    expect(await change(tenant, 'contactSuppress', id)).toEqual(suppressed);
    expect((await change(tenant, 'contactUnsuppress', id)).suppressedAt).toBeNull();
    await change(tenant, 'contactUnsuppress', id);
    expect((await audited(tenant)).slice(1)).toEqual([
      {
        action: 'contact.suppress',
        before: { suppressedAt: null },
        after: { suppressedAt: suppressed.suppressedAt },
      },
      {
        action: 'contact.unsuppress',
        before: { suppressedAt: suppressed.suppressedAt },
        after: { suppressedAt: null },
      },
    ]);
  });
});

describe.concurrent('consents', () => {
  const consent = (status: string, source?: string) => ({
    purpose: 'marketing',
    status,
    ...(source && { source }),
  });

  test('increment their version with each change, and the audit log has the earlier values', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    await change(tenant, 'consentSet', id, consent('GRANTED', 'form'));
    await change(tenant, 'consentSet', id, consent('GRANTED', 'form'));
    await change(tenant, 'consentSet', id, consent('GRANTED', 'call'));
    const { consents } = await change(tenant, 'consentSet', id, consent('DENIED'));
    expect(consents).toEqual([{ purpose: 'marketing', status: 'DENIED', version: 3, source: '' }]);
    expect((await audited(tenant)).slice(1)).toEqual([
      {
        action: 'consent.set',
        before: null,
        after: { purpose: 'marketing', status: 'GRANTED', source: 'form', version: 1 },
      },
      {
        action: 'consent.set',
        before: { purpose: 'marketing', status: 'GRANTED', source: 'form', version: 1 },
        after: { purpose: 'marketing', status: 'GRANTED', source: 'call', version: 2 },
      },
      {
        action: 'consent.set',
        before: { purpose: 'marketing', status: 'GRANTED', source: 'call', version: 2 },
        after: { purpose: 'marketing', status: 'DENIED', source: '', version: 3 },
      },
    ]);
  });

  test('that are changed concurrently each get their own version', async () => {
    const tenant = await createTenant();
    const { id } = await upsert(tenant, { userId: 'u' });
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        change(tenant, 'consentSet', id, consent('GRANTED', `s${n}`)),
      ),
    );
    const rows = await sql('SELECT version FROM consents WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([{ version: 30 }]);
  });

  test('of many people are recorded all or none', async () => {
    const tenant = await createTenant();
    const userIds = Array.from({ length: 50 }, (_, n) => `u${n}`);
    for (const userId of userIds) await createContact(tenant.workspaceId, { userId });
    const all = userIds.flatMap(userId =>
      ['marketing', 'research'].map(purpose => ({ userId, purpose, status: 'GRANTED' })),
    );
    const shown = 'contacts { userId consents { purpose status } }';
    const { contacts } = await mutate<{ contacts: { userId: string; consents: unknown[] }[] }>(
      by(tenant),
      'consentBulkSet',
      { input: { consents: all } },
      shown,
    );
    expect(contacts.map(({ userId }) => userId)).toEqual(userIds);
    for (const { consents } of contacts) expect(consents).toHaveLength(2);

    const bulk = (consents: unknown[]) =>
      refusals(by(tenant), 'consentBulkSet', { input: { consents } });
    const denied = { userId: 'u0', purpose: 'marketing', status: 'DENIED' };
    expect(await bulk([denied, { ...denied, userId: 'x' }, { ...denied, userId: 'y' }])).toEqual([
      'NOT_FOUND input.consents.1.userId',
      'NOT_FOUND input.consents.2.userId',
    ]);
    expect(await bulk([...all, denied])).toEqual(['BAD_USER_INPUT input.consents']);
    expect(await bulk([])).toEqual(['BAD_USER_INPUT input.consents']);
    const rows = await sql(`SELECT 1 FROM consents WHERE workspace_id = $1 AND status = 'DENIED'`, [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });

  test('are limited in their number of purposes', async () => {
    const tenant = await createTenant();
    const consents = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`p${n}`, 'GRANTED' as const]),
    );
    const { contactId } = await createContact(tenant.workspaceId, { consents });
    const id = encodeNodeId('Contact', contactId);
    expect(await refusals(by(tenant), 'consentSet', { id, input: consent('GRANTED') })).toEqual([
      'TOO_MANY_CONSENTS',
    ]);
    await change(tenant, 'consentSet', id, { purpose: 'p7', status: 'DENIED' });
    const input = { purpose: 'Not a word', status: 'DENIED', source: 'x'.repeat(257) };
    expect(await refusals(by(tenant), 'consentSet', { id, input })).toEqual([
      'BAD_USER_INPUT input.purpose',
      'BAD_USER_INPUT input.source',
    ]);
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

describe.concurrent('lists', () => {
  test('can be filtered by the beginning of the user ID and by suppression', async () => {
    const tenant = await createTenant();
    for (const userId of ['a_1', 'a%1', 'aX1', 'b'])
      await createContact(tenant.workspaceId, { userId, isSuppressed: userId === 'b' });
    const listed = async (filter: string) => {
      const document = `{ contacts(first: 10, ${filter}) { nodes { userId } } }`;
      const { contacts } = await ask<{ contacts: { nodes: { userId: string }[] } }>(
        by(tenant),
        document,
      );
      return contacts.nodes.map(({ userId }) => userId);
    };
    expect(await listed('userIdPrefix: "a"')).toEqual(['aX1', 'a%1', 'a_1']);
    expect(await listed('userIdPrefix: "a_"')).toEqual(['a_1']);
    expect(await listed('userIdPrefix: "a%"')).toEqual(['a%1']);
    expect(await listed('isSuppressed: true')).toEqual(['b']);
    expect(await listed('isSuppressed: false')).toEqual(['aX1', 'a%1', 'a_1']);
    const broken = await api().graphql(
      '{ contacts(first: 1, userIdPrefix: "\\u0000") { nodes { id } } }',
      {
        token: await tokenFor(tenant.organizationId),
      },
    );
    expect(broken.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});

describe.concurrent('the filter by a trait', () => {
  const CONTACTS = `query ($search: String, $trait: ContactTraitInput, $after: String) {
    contacts(first: 2, search: $search, trait: $trait, after: $after) {
      nodes { userId } pageInfo { hasNextPage endCursor }
    }
  }`;
  type Found = {
    readonly contacts: {
      readonly nodes: readonly { readonly userId: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
  const page = async (tenant: Tenant, variables: Readonly<Record<string, unknown>>) =>
    (await ask<Found>(by(tenant, 'member'), CONTACTS, variables)).contacts;
  const listed = async (tenant: Tenant, name: string, value: string, search?: string) =>
    (await page(tenant, { trait: { name, value }, search })).nodes.map(({ userId }) => userId);

  test('compares the text of its value, and combines with the search', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('u-1', { name: 'Zola Das', city: 'Pune', seats: 5, isPaying: true });
    await person('u-2', { name: 'Zola Rao', city: 'Delhi', home: { city: 'Pune' } });
    await person('u-3', { name: 'Asha Rao', city: 'Pune', 'home.city': 'Agra', home: 7 });
    await createContact((await createTenant()).workspaceId, { traits: { city: 'Pune' } });
    expect(await listed(tenant, 'city', 'Pune')).toEqual(['u-3', 'u-1']);
    expect(await listed(tenant, 'city', 'Pune', 'zola')).toEqual(['u-1']);
    expect(await listed(tenant, 'city', 'pune')).toEqual([]);
    expect(await listed(tenant, 'seats', '5')).toEqual(['u-1']);
    expect(await listed(tenant, 'isPaying', 'true')).toEqual(['u-1']);
    expect(await listed(tenant, 'home.city', 'Pune')).toEqual(['u-2']);
    expect(await listed(tenant, 'home.city', 'Agra')).toEqual(['u-3']);
  });

  test('keeps its pages', async () => {
    const tenant = await createTenant();
    for (let n = 0; n < 6; n++)
      await createContact(tenant.workspaceId, {
        userId: `u-${n}`,
        traits: { city: n % 2 === 0 ? 'Pune' : 'Delhi' },
      });
    const trait = { name: 'city', value: 'Pune' };
    const first = await page(tenant, { trait });
    expect(first.nodes.map(({ userId }) => userId)).toEqual(['u-4', 'u-2']);
    const next = await page(tenant, { trait, after: first.pageInfo.endCursor });
    expect(next.nodes.map(({ userId }) => userId)).toEqual(['u-0']);
    expect(next.pageInfo.hasNextPage).toBe(false);
  });

  test('says what to do if it reaches the time limit', async () => {
    const tenant = await createTenant();
    await sql(
      `INSERT INTO contacts (id, workspace_id, user_id, traits)
       SELECT gen_random_uuid(), $1, n::text, jsonb_build_object('text', repeat('x', 900))
       FROM generate_series(1, 2000) AS n`,
      [tenant.workspaceId],
    );
    const context = contextOf(deps(), tenant);
    const em = await context.read();
    await em.execute('SET LOCAL statement_timeout = 1');
    const trait = { name: 'city', value: 'Pune' };
    await expect(contactsPage(context, { first: 10 }, { trait })).rejects.toMatchObject({
      rejections: [{ code: 'REPORT_TOO_LARGE', message: expect.stringContaining('Also search') }],
    });
    await context.finish();
  });
});

describe.concurrent('the search', () => {
  const found = async (tenant: Tenant, search: string): Promise<string[]> => {
    const { contacts } = await ask<{ contacts: { nodes: { userId: string }[] } }>(
      by(tenant),
      'query ($search: String!) { contacts(first: 10, search: $search) { nodes { userId } } }',
      { search },
    );
    return contacts.nodes.map(({ userId }) => userId);
  };

  test('finds the beginning of a user ID, a name or an email, regardless of case', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('User-1', { name: 'Priya Das', email: 'PRIYA@shop.example' });
    await person('u-2', { first_name: 'Asha', last_name: 'Rao', name: { of: 'nothing' } });
    await person('u-3', { fullName: 'Zoë_Ünal 100%' });
    await person('x-5', { firstName: 'Mia', lastName: 'van der Berg' });
    await createContact((await createTenant()).workspaceId, { userId: 'u-4' });
    expect(await found(tenant, 'u')).toEqual(['u-3', 'u-2', 'User-1']);
    expect(await found(tenant, 'uSER-')).toEqual(['User-1']);
    expect(await found(tenant, 'priya d')).toEqual(['User-1']);
    expect(await found(tenant, 'priya@')).toEqual(['User-1']);
    expect(await found(tenant, 'asha r')).toEqual(['u-2']);
    expect(await found(tenant, 'RAO')).toEqual(['u-2']);
    expect(await found(tenant, '100%')).toEqual(['u-3']);
    for (const name of [' mia ', 'van d', 'berg'])
      expect(await found(tenant, name)).toEqual(['x-5']);
    for (const other of ['iya', '%', 'zo%', '{']) expect(await found(tenant, other)).toEqual([]);
  });

  test('finds a contact each of whose several words matches', async () => {
    const tenant = await createTenant();
    const person = (userId: string, traits: object) =>
      createContact(tenant.workspaceId, { userId, traits });
    await person('u-1', { name: 'Zola Das', email: 'zola.das@shop.example' });
    await person('u-2', { name: 'Zola Rao', email: 'z.rao@shop.example' });
    await person('u-3', { firstName: 'Zola', lastName: 'van der Berg' });
    expect(await found(tenant, 'zola')).toEqual(['u-3', 'u-2', 'u-1']);
    expect(await found(tenant, 'DAS  zo')).toEqual(['u-1']);
    expect(await found(tenant, 'z.rao@ zola u-')).toEqual(['u-2']);
    expect(await found(tenant, 'van d')).toEqual(['u-3']);
    expect(await found(tenant, 'berg zola')).toEqual(['u-3']);
    expect(await found(tenant, 'zola priya')).toEqual([]);
    expect(await found(tenant, 'zola zola')).toEqual(['u-3', 'u-2', 'u-1']);
    const many = Array.from({ length: 100 }, (_, n) => `w${n}`).join(' ');
    expect(await found(tenant, many)).toEqual([]);
  });

  test('finds the traits that a contact has now, and nothing of a deleted one', async () => {
    const tenant = await createTenant();
    await upsert(tenant, { userId: 'u-1', traits: { name: 'Priya', email: 'p@shop.example' } });
    await upsert(tenant, { userId: 'u-1', traits: { name: 'Meera' }, removeTraits: ['email'] });
    expect(await found(tenant, 'meera')).toEqual(['u-1']);
    expect(await found(tenant, 'priya')).toEqual([]);
    expect(await found(tenant, 'p@')).toEqual([]);
    await sql('DELETE FROM contacts WHERE workspace_id = $1', [tenant.workspaceId]);
    expect(
      await sql('SELECT FROM contact_search_terms WHERE workspace_id = $1', [tenant.workspaceId]),
    ).toEqual([]);
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
