// Settings of an organization, its workspaces and properties, and of the platform's cells.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeNodeId, encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

type Payload = {
  readonly userErrors: readonly { readonly code: string; readonly field: string[] | null }[];
  readonly [name: string]: unknown;
};

async function ask(tenant: Tenant, document: string, options: Parameters<typeof tokenFor>[1] = {}) {
  const token = await tokenFor(tenant.organizationId, options);
  const answer = await api().graphql(document, { token });
  expect(answer.errors, answer.text).toBeUndefined();
  return answer.data as Record<string, Payload>;
}

async function createCell(isEnabled = true): Promise<{ slug: string; region: string }> {
  const slug = `c${randomBytes(6).toString('hex')}`;
  const region = `region-${slug}`;
  await sql(
    'INSERT INTO cells (id, slug, region, is_enabled) VALUES (gen_random_uuid(), $1, $2, $3)',
    [slug, region, isEnabled],
  );
  return { slug, region };
}

const WORKSPACE = 'workspace { id name cell { slug } } userErrors { code field }';

describe.concurrent('workspaces', () => {
  test('a new workspace is created in the region of the others, and returned even if the request names another', async () => {
    const tenant = await createTenant();
    await createCell();
    const made = await ask(
      tenant,
      `mutation { workspaceCreate(input: {name: "Second"}) { ${WORKSPACE} } }`,
    );
    expect(made.workspaceCreate).toEqual({
      workspace: { id: expect.any(String), name: 'Second', cell: { slug: 'default' } },
      userErrors: [],
    });
    const { id } = made.workspaceCreate!.workspace as { id: string };
    const bound = { workspaceId: decodeNodeId(id).id };
    expect(await ask(tenant, '{ workspace { id name } }', bound)).toEqual({
      workspace: { id, name: 'Second' },
    });
  });

  test('a requested region is used; one without an enabled cell is refused', async () => {
    const tenant = await createTenant();
    const [open, closed] = [await createCell(), await createCell(false)];
    const create = (region: string) =>
      ask(
        tenant,
        `mutation { workspaceCreate(input: {name: "a", region: "${region}"}) { ${WORKSPACE} } }`,
      );
    const made = await create(open.region);
    expect(made.workspaceCreate?.workspace).toMatchObject({ cell: { slug: open.slug } });
    for (const region of [closed.region, 'nowhere']) {
      const { workspaceCreate } = await create(region);
      expect(workspaceCreate).toEqual({
        workspace: null,
        userErrors: [{ code: 'NO_CELL', field: ['input', 'region'] }],
      });
    }
    const { regions } = await ask(tenant, '{ regions }', { roles: ['member'] });
    expect(regions).toContain(open.region);
    expect(regions).not.toContain(closed.region);
  });
});

test('an organization is renamed', async () => {
  const tenant = await createTenant();
  const document = `mutation { organizationUpdate(input: {name: "Firm"}) {
    organization { name } userErrors { code } } }`;
  const renamed = { organization: { name: 'Firm' }, userErrors: [] };
  expect(await ask(tenant, document)).toEqual({ organizationUpdate: renamed });
  expect(await ask(tenant, '{ organization { name } }')).toEqual({
    organization: { name: 'Firm' },
  });
});

describe.concurrent('properties', () => {
  test('are created, listed and renamed', async () => {
    const tenant = await createTenant();
    const made = await ask(
      tenant,
      'mutation { propertyCreate(input: {name: "App"}) { property { id propertyId } } }',
    );
    const { id, propertyId } = made.propertyCreate!.property as { id: string; propertyId: string };
    expect(decodeNodeId(id)).toEqual({ typename: 'Property', id: propertyId });
    const renamed = await ask(
      tenant,
      `mutation { propertyUpdate(id: "${id}", input: {name: "Android"}) { property { name } } }`,
    );
    expect(renamed.propertyUpdate).toEqual({ property: { name: 'Android' } });
    expect(await ask(tenant, '{ properties(first: 5) { nodes { name } } }')).toEqual({
      properties: { nodes: [{ name: 'Android' }, { name: 'Web' }] },
    });
  });
});

describe.concurrent('cells', () => {
  test('are listed for platform admins with all their workspaces', async () => {
    const { slug, region } = await createCell();
    const tenants = [];
    for (let i = 0; i < 2; i++)
      tenants.push(await createTenant({ cell: { slug, isEnabled: true } }));
    const platform = await createTenant();
    const document = `{ cells(first: 100) {
      nodes { slug region isEnabled workspaceCount } pageInfo { hasNextPage } } }`;
    const { cells } = await ask(platform, document, { roles: ['platform_admin'] });
    expect(cells?.nodes).toContainEqual({ slug, region, isEnabled: true, workspaceCount: 2 });
    expect(cells?.nodes).toContainEqual(expect.objectContaining({ slug: 'default' }));
  });

  test('show their region to their tenants, but not other tenants', async () => {
    const tenant = await createTenant();
    const token = await tokenFor(tenant.organizationId);
    const document = '{ workspace { cell { region workspaceCount } } }';
    const { data, errors } = await api().graphql(document, { token });
    expect(data).toEqual({ workspace: { cell: { region: 'test', workspaceCount: null } } });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('can be enabled and disabled only by platform admins', async () => {
    const tenant = await createTenant();
    const { slug } = await createCell();
    const [cell] = (await sql('SELECT id FROM cells WHERE slug = $1', [slug])) as [{ id: string }];
    const id = encodeNodeId('Cell', cell.id);
    const document = `mutation { cellUpdate(id: "${id}", input: {isEnabled: false}) {
      cell { isEnabled } userErrors { code } } }`;
    const token = await tokenFor(tenant.organizationId, { roles: ['owner', 'member'] });
    const { errors } = await api().graphql(document, { token });
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    const switched = { cell: { isEnabled: false }, userErrors: [] };
    expect(await ask(tenant, document, { roles: ['platform_admin'] })).toEqual({
      cellUpdate: switched,
    });
    const missing = encodeNodeId('Cell', tenant.workspaceId);
    const nothing = await ask(tenant, document.replace(id, missing), { roles: ['platform_admin'] });
    expect(nothing.cellUpdate).toEqual({ cell: null, userErrors: [{ code: 'NOT_FOUND' }] });
  });
});
