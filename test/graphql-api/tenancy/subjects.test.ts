// Revoked users: their tokens are valid, and were accepted by every process a moment before.

import { expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const deps = useDeps();

type Input = { readonly userId: string; readonly organizationId?: string };

async function mutate(tenant: Tenant, name: string, input: Input): Promise<string> {
  const isPlatform = name.startsWith('platform');
  const token = await tokenFor(tenant.organizationId, {
    userId: 'boss',
    roles: [isPlatform ? 'platform_admin' : 'owner'],
  });
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { ${name}(input: $input) { userId userErrors { code } } }`;
  return (await api().graphql(document, { token, variables: { input } })).text;
}

async function untilStatus(token: string, status: number): Promise<void> {
  await eventually(async () =>
    expect((await api().graphql('{ __typename }', { token })).status).toBe(status),
  );
}

test('a revoked user is refused in their organization only, until they are restored', async () => {
  const [tenant, other] = [await createTenant(), await createTenant()];
  const userId = `ann-${tenant.organizationId}`;
  const token = await tokenFor(tenant.organizationId, { userId });
  const colleague = await tokenFor(tenant.organizationId, { userId: 'bob' });
  const elsewhere = await tokenFor(other.organizationId, { userId });
  await untilStatus(token, 200);
  expect(await mutate(tenant, 'subjectRevoke', { userId })).toContain('"userErrors":[]');
  await untilStatus(token, 401);
  await untilStatus(colleague, 200);
  await untilStatus(elsewhere, 200);
  expect(await mutate(other, 'subjectRestore', { userId })).toContain('NOT_FOUND');
  await mutate(tenant, 'subjectRestore', { userId });
  await untilStatus(token, 200);
});

test('a platform admin revokes a user in all organizations', async () => {
  const [tenant, admin] = [await createTenant(), await createTenant()];
  const userId = `eve-${tenant.organizationId}`;
  const token = await tokenFor(tenant.organizationId, { userId });
  await untilStatus(token, 200);
  await mutate(admin, 'platformSubjectRevoke', { userId });
  await untilStatus(token, 401);
  const organizationId = encodeNodeId('Organization', tenant.organizationId);
  // That would be another entry.
  expect(await mutate(admin, 'platformSubjectRestore', { userId, organizationId })).toContain(
    'NOT_FOUND',
  );
  await mutate(admin, 'platformSubjectRestore', { userId });
  await untilStatus(token, 200);
});

test('an owner cannot restore a user whom a platform admin revoked', async () => {
  const [tenant, admin] = [await createTenant(), await createTenant()];
  const userId = `mal-${tenant.organizationId}`;
  const organizationId = encodeNodeId('Organization', tenant.organizationId);
  const token = await tokenFor(tenant.organizationId, { userId });
  // The owner revoked the user before; that does not make the entry the owner's.
  await mutate(tenant, 'subjectRevoke', { userId });
  await mutate(admin, 'platformSubjectRevoke', { userId, organizationId });
  await mutate(tenant, 'subjectRevoke', { userId });
  expect(await mutate(tenant, 'subjectRestore', { userId })).toContain('FORBIDDEN');
  await untilStatus(token, 401);
  expect(await mutate(admin, 'platformSubjectRestore', { userId, organizationId })).toContain(
    '"userErrors":[]',
  );
  await untilStatus(token, 200);
});

test('nobody revokes themselves', async () => {
  const tenant = await createTenant();
  expect(await mutate(tenant, 'subjectRevoke', { userId: 'boss' })).toContain('BAD_USER_INPUT');
});

test('an open live view of a revoked user ends', async () => {
  const tenant = await createTenant();
  const userId = `live-${tenant.organizationId}`;
  const { viewer } = contextOf(deps(), tenant, { userId });
  const items = deps().live.subscribe(viewer, {})[Symbol.asyncIterator]();
  await mutate(tenant, 'subjectRevoke', { userId });
  // Counts may come first.
  await eventually(async () => expect(await items.next()).toMatchObject({ done: true }));
});
