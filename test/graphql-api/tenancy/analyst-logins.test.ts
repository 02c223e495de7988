// The life cycle of an analyst login, from its creation in the API until ClickHouse accepts it, and
// after its revocation refuses it.

import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { applyAnalystLoginsOf } from '../../../graphql-api/tenancy/analyst-login.apply.ts';
import { eventually } from '../../harness/eventually.ts';
import { send } from '../../harness/http.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { useDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const deps = useDeps();
const LOGIN = 'id name userName state url database createdAt revokedAt';

type Login = {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly state: string;
  readonly url: string;
  readonly database: string | null;
};
type Payload = {
  readonly analystLogin: Login | null;
  readonly password: string | null;
  readonly userErrors: readonly { readonly code: string }[];
};

async function call(
  tenant: Tenant,
  mutation: string,
  { directive = '', roles = ['owner'] as ('owner' | 'member')[] } = {},
): Promise<Payload> {
  const [name] = mutation.split('(') as [string];
  const password = name === 'analystLoginCreate' ? 'password' : '';
  const answer = await api().graphql(
    `mutation { ${mutation} ${directive} { analystLogin { ${LOGIN} } ${password} userErrors { code } } }`,
    { token: await tokenFor(tenant.organizationId, { roles }) },
  );
  expect(answer.errors, answer.text).toBeUndefined();
  return answer.data?.[name] as Payload;
}

async function create(tenant: Tenant): Promise<{ login: Login; password: string }> {
  const made = await call(tenant, 'analystLoginCreate(input: {name: "Metabase"})');
  expect(made.userErrors).toEqual([]);
  return { login: made.analystLogin!, password: made.password! };
}

async function listed(tenant: Tenant): Promise<readonly Login[]> {
  const answer = await api().graphql(`{ analystLogins(first: 50) { nodes { ${LOGIN} } } }`, {
    token: await tokenFor(tenant.organizationId, { roles: ['member'] }),
  });
  const page = answer.data?.analystLogins as { nodes: Login[] } | undefined;
  return page?.nodes ?? [];
}

async function asked(userName: string, password: string, body: string) {
  const authorization = `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
  return send(`${inject('clickhouseUrl')}/`, { body, headers: { authorization } });
}

async function addEvent({ workspaceId }: Tenant, userId: string): Promise<void> {
  const body = `INSERT INTO events_raw (workspace_id, type, event, message_id, user_id, timestamp)
    SELECT toUUID('${workspaceId}'), 'track', 'Seen', '${randomUUID()}', '${userId}', now()`;
  const answer = await send(`${inject('clickhouseUrl')}/`, { body });
  expect(answer.status, answer.text).toBe(200);
}

describe.concurrent('a login', () => {
  test('can read its workspace within seconds, and nothing after it is revoked', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    await addEvent(tenant, 'ours');
    await addEvent(other, 'theirs');
    const { login, password } = await create(tenant);
    expect(login).toMatchObject({ name: 'Metabase', url: inject('clickhouseUrl') });
    expect(login.userName).toMatch(/^analyst_[0-9a-f]{12}$/);
    await eventually(async () => {
      const [shown] = await listed(tenant);
      expect(shown).toMatchObject({ id: login.id, state: 'ACTIVE' });
    });
    const [active] = await listed(tenant);
    const { text } = await asked(
      login.userName,
      password,
      'SELECT user_id, currentDatabase() FROM events',
    );
    expect(text).toBe(`ours\t${active?.database}\n`);

    const revoked = await call(tenant, `analystLoginRevoke(id: "${login.id}")`);
    expect(revoked.analystLogin?.state).toBe('REVOKING');
    await eventually(async () => {
      const answer = await asked(login.userName, password, 'SELECT 1');
      expect(answer.text).toContain('AUTHENTICATION_FAILED');
      expect((await listed(tenant))[0]?.state).toBe('REVOKED');
    });
  });

  test('returns its password once, and again only to the same idempotent request', async () => {
    const tenant = await createTenant();
    const directive = '@idempotent(key: "one")';
    const mutation = 'analystLoginCreate(input: {name: "Grafana"})';
    const first = await call(tenant, mutation, { directive });
    const again = await call(tenant, mutation, { directive });
    expect(again.password).toBe(first.password);
    expect(again.analystLogin?.id).toBe(first.analystLogin?.id);
    expect(await listed(tenant)).toHaveLength(1);
    const stored = await sql(
      `SELECT login::text AS text FROM analyst_logins AS login WHERE workspace_id = $1
       UNION ALL SELECT record::text FROM idempotency_records AS record WHERE organization_id = $2
       UNION ALL SELECT entry::text FROM audit_log AS entry WHERE organization_id = $2`,
      [tenant.workspaceId, tenant.organizationId],
    );
    expect(stored.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(stored)).not.toContain(first.password);
    await call(tenant, `analystLoginRevoke(id: "${first.analystLogin?.id}")`);
  });

  test('is revoked once, and a repeat changes nothing', async () => {
    const tenant = await createTenant();
    const { login } = await create(tenant);
    const first = await call(tenant, `analystLoginRevoke(id: "${login.id}")`);
    const again = await call(tenant, `analystLoginRevoke(id: "${login.id}")`);
    expect(again.userErrors).toEqual([]);
    expect((again.analystLogin as { revokedAt?: string }).revokedAt).toBe(
      (first.analystLogin as { revokedAt?: string }).revokedAt,
    );
    const entries = await sql(
      `SELECT action FROM audit_log WHERE organization_id = $1 ORDER BY created_at, id`,
      [tenant.organizationId],
    );
    expect(entries).toEqual([
      { action: 'analyst_login.create' },
      { action: 'analyst_login.revoke' },
    ]);
  });

  test('can be created by owners and seen by members', async () => {
    const tenant = await createTenant();
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const refused = await api().graphql(
      'mutation { analystLoginCreate(input: {name: "x"}) { userErrors { code } } }',
      { token },
    );
    expect(refused.errors?.[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    expect(await listed(tenant)).toEqual([]);
  });

  test('over REST', async () => {
    const tenant = await createTenant();
    const authorization = `Bearer ${await tokenFor(tenant.organizationId)}`;
    const post = async (path: string, body: object = {}) =>
      send(`${api().url}/api/v1/analyst-logins${path}`, {
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = (await post('', { name: 'dbt' })).json() as {
      analyst_login: { id: string; state: string };
      password: string;
    };
    expect(made).toMatchObject({ status: 'SUCCESS', analyst_login: { name: 'dbt' } });
    expect(made.password).toMatch(/^[\w-]{32}$/);
    const revoked = (await post(`/${made.analyst_login.id}/revoke`)).json();
    expect(revoked).toMatchObject({ analyst_login: { id: made.analyst_login.id } });
    const list = await send(`${api().url}/api/v1/analyst-logins`, {
      method: 'GET',
      headers: { authorization },
    });
    expect(list.json()).toMatchObject({ items: [{ id: made.analyst_login.id }] });
    expect(list.text).not.toContain('password');
  });
});

test('the job makes ClickHouse equal to Postgres after any loss', async () => {
  const tenant = await createTenant();
  const { login, password } = await create(tenant);
  const apply = () =>
    applyAnalystLoginsOf(deps(), { cell: 'default', url: inject('clickhouseUrl') });
  const isThere = async () =>
    (await asked(login.userName, password, 'SELECT 1')).text.startsWith('1');
  // Repeated, because a run of the job that read the logins earlier may still be in progress.
  const becomes = (expected: boolean) =>
    eventually(async () => {
      await apply();
      expect(await isThere()).toBe(expected);
    });
  await becomes(true);
  // The user is lost in ClickHouse.
  await send(`${inject('clickhouseUrl')}/`, { body: `DROP USER IF EXISTS \`${login.userName}\`` });
  await becomes(true);
  // A removed user exists in ClickHouse again.
  await call(tenant, `analystLoginRevoke(id: "${login.id}")`);
  await sql(`UPDATE analyst_logins SET removed_at = now() WHERE user_name = $1`, [login.userName]);
  await becomes(false);
});

test('the login stays pending while ClickHouse is unavailable', async () => {
  const tenant = await createTenant();
  const { login } = await create(tenant);
  await expect(
    applyAnalystLoginsOf(deps(), { cell: 'default', url: 'http://127.0.0.1:2' }),
  ).rejects.toThrow();
  expect(['PENDING', 'ACTIVE']).toContain((await listed(tenant))[0]?.state);
  await call(tenant, `analystLoginRevoke(id: "${login.id}")`);
});
