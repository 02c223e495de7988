import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createSibling, createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { type GraphqlAnswer, useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

type Page = {
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
  };
};

async function ask(
  tenant: Tenant,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<GraphqlAnswer> {
  return api().graphql(document, { token: await tokenFor(tenant.organizationId), variables });
}

const KEYS = `query ($first: Int!, $after: String) {
  sdkKeys(first: $first, after: $after) {
    nodes { id name } edges { cursor }
    pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}`;

async function keysPage(tenant: Tenant, first: number, after: string | null): Promise<Page> {
  return (await ask(tenant, KEYS, { first, after })).data?.sdkKeys as Page;
}

/**
 * Created within microseconds of each other in Postgres, which is below the precision of a cursor.
 */
async function createCrowd(tenant: Tenant, count: number): Promise<string[]> {
  await sql('DELETE FROM sdk_keys WHERE id = $1', [tenant.keyId]);
  await sql(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key, created_at)
     SELECT gen_random_uuid(), $1, 'k' || n, 'wk_' || $2 || '_' || n,
       timestamptz '2026-01-01T00:00:00Z' + (n / 2) * interval '100 microseconds'
     FROM generate_series(1, $3::int) n`,
    [tenant.workspaceId, uuidv7(), count],
  );
  const rows = await sql(
    'SELECT name FROM sdk_keys WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC',
    [tenant.workspaceId],
  );
  return rows.map(row => String(row.name));
}

describe.concurrent('pages', () => {
  test('show every item once, newest first, also within one millisecond', async () => {
    const tenant = await createTenant();
    const expected = await createCrowd(tenant, 30);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Page = await keysPage(tenant, 7, after);
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      expect(page.edges.at(-1)?.cursor).toBe(page.pageInfo.endCursor);
      seen.push(...page.nodes.map(({ name }) => name));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual(expected);
  });

  test('omit no items if the item of the cursor was deleted', async () => {
    const tenant = await createTenant();
    const expected = await createCrowd(tenant, 10);
    const { nodes, pageInfo } = await keysPage(tenant, 4, null);
    await sql('DELETE FROM sdk_keys WHERE id = $1', [decodeNodeId(nodes[3]!.id).id]);
    const rest = await keysPage(tenant, 20, pageInfo.endCursor);
    expect(rest.nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(expected.slice(4)));
  });

  test('are the same over REST', async () => {
    const tenant = await createTenant();
    const expected = await createCrowd(tenant, 5);
    const token = await tokenFor(tenant.organizationId);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await api().rest(`/api/v1/sdk-keys?limit=2${query}`, { token });
      const body = answer.json() as { items: { name: string }[]; next_cursor: string | null };
      seen.push(...body.items.map(({ name }) => name));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(expected);
  });
});

describe.concurrent('mutations', () => {
  const UPDATE = `mutation ($input: WorkspaceUpdateInput!) {
    workspaceUpdate(input: $input) {
      workspace { name inAppDailyMax inAppIntervalSecondsMin }
      userErrors { code field message }
    }
  }`;

  test('change only the given fields, and are in the audit log', async () => {
    const tenant = await createTenant();
    await ask(tenant, UPDATE, { input: { name: 'Shop', inAppDailyMax: 5 } });
    const answer = await ask(tenant, UPDATE, { input: { inAppDailyMax: null } });
    const workspace = { name: 'Shop', inAppDailyMax: null, inAppIntervalSecondsMin: null };
    expect(answer.data).toEqual({ workspaceUpdate: { workspace, userErrors: [] } });
    const audited = await sql(
      'SELECT action, actor_id, before, after FROM audit_log WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 1',
      [tenant.workspaceId],
    );
    expect(audited).toMatchObject([
      { action: 'workspace.update', before: { inAppDailyMax: 5 }, after: { inAppDailyMax: null } },
    ]);
  });

  test('each return their own result if one request has several', async () => {
    const tenant = await createTenant();
    const update = (name: string) =>
      `${name}: workspaceUpdate(input: {name: "${name}"}) { workspace { name } }`;
    const { data } = await ask(tenant, `mutation { ${update('a')} ${update('b')} }`);
    expect(data).toEqual({ a: { workspace: { name: 'a' } }, b: { workspace: { name: 'b' } } });
  });

  test('report all errors of the input at once, and change nothing', async () => {
    const tenant = await createTenant();
    const input = { name: '', inAppDailyMax: 0 };
    const { data } = await ask(tenant, UPDATE, { input });
    expect(data?.workspaceUpdate).toEqual({
      workspace: null,
      userErrors: [
        { code: 'BAD_USER_INPUT', field: ['input', 'name'], message: expect.any(String) },
        { code: 'BAD_USER_INPUT', field: ['input', 'inAppDailyMax'], message: expect.any(String) },
      ],
    });
    const audited = await sql('SELECT 1 FROM audit_log WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(audited).toEqual([]);
  });

  test('are refused for members and without a token', async () => {
    const tenant = await createTenant();
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const variables = { input: { name: 'x' } };
    const asMember = await api().graphql(UPDATE, { token, variables });
    expect(asMember.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    const asNobody = await api().graphql(UPDATE, { variables });
    expect(asNobody.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    expect(asNobody.status).toBe(401);
    const post = { method: 'POST', body: '{"name":"x"}' };
    const headers = { 'content-type': 'application/json' };
    expect((await api().rest('/api/v1/sdk-keys', { ...post, headers, token })).status).toBe(403);
    expect((await api().rest('/api/v1/sdk-keys', { ...post, headers })).status).toBe(401);
  });
});

describe.concurrent('workspaces', () => {
  test('are specified by the request if there are several', async () => {
    const tenant = await createTenant();
    const sibling = await createSibling(tenant);
    const without = await ask(
      tenant,
      '{ workspace { id } organization { workspaces(first: 5) { nodes { id } } } }',
    );
    expect(without.data?.workspace).toBeNull();
    const listed = without.data?.organization as { workspaces: { nodes: { id: string }[] } };
    const ids = listed.workspaces.nodes.map(({ id }) => decodeNodeId(id).id);
    expect(ids.toSorted()).toEqual([tenant.workspaceId, sibling.workspaceId].toSorted());

    const keys = await ask(tenant, '{ sdkKeys(first: 5) { nodes { id } } }');
    expect(keys.errors?.[0]?.extensions?.reason).toBe('WORKSPACE_REQUIRED');
    const named = await api().graphql('{ sdkKeys(first: 5) { nodes { writeKey } } }', {
      token: await tokenFor(tenant.organizationId),
      headers: { 'x-workspace-id': sibling.workspaceId },
    });
    expect(named.data).toEqual({ sdkKeys: { nodes: [{ writeKey: sibling.writeKey }] } });
  });
});
