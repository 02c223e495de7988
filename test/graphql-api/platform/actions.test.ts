import { expect, test } from 'vitest';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { countOf } from '../../../graphql-api/platform/database/count-of.ts';
import { reject } from '../../../graphql-api/platform/rejected.ts';
import {
  type Action,
  runAction,
  runPlatformAction,
} from '../../../graphql-api/platform/run-action.ts';
import { Cell } from '../../../graphql-api/tenancy/cell.entity.ts';
import { SdkKey } from '../../../graphql-api/tenancy/sdk-key.entity.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { contextOf, useDeps } from '../harness/deps.ts';

const deps = useDeps();

const rename: Action<{ keyId: string; name: string; isRefused?: boolean }, string> = async (
  { em, audit },
  { keyId, name, isRefused },
) => {
  const key = await em.findOneOrFail(SdkKey, { id: keyId });
  const before = { name: key.name };
  key.name = name;
  await em.flush();
  await audit({
    action: 'sdk_key.rename',
    subjectType: 'sdk_key',
    subjectId: keyId,
    before,
    after: { name },
  });
  return isRefused ? reject('FORBIDDEN') : name;
};

async function auditOf(tenant: Tenant) {
  return sql('SELECT * FROM audit_log WHERE organization_id = $1', [tenant.organizationId]);
}

async function nameOf(keyId: string) {
  return (await sql('SELECT name FROM sdk_keys WHERE id = $1', [keyId]))[0]?.name;
}

test('a change and its audit entry are written together', async () => {
  const tenant = await createTenant();
  const context = contextOf(deps(), tenant, { userId: 'ann' });
  await runAction(context, rename, { keyId: tenant.keyId, name: 'renamed' });
  expect(await nameOf(tenant.keyId)).toBe('renamed');
  expect(await auditOf(tenant)).toEqual([
    {
      id: expect.any(String),
      organization_id: tenant.organizationId,
      workspace_id: tenant.workspaceId,
      actor_id: 'ann',
      action: 'sdk_key.rename',
      subject_type: 'sdk_key',
      subject_id: tenant.keyId,
      before: { name: 'test' },
      after: { name: 'renamed' },
      request_id: context.requestId,
      created_at: expect.any(Date),
    },
  ]);
});

test('a refusal undoes both', async () => {
  const tenant = await createTenant();
  const input = { keyId: tenant.keyId, name: 'renamed', isRefused: true };
  await expect(runAction(contextOf(deps(), tenant), rename, input)).rejects.toMatchObject({
    rejections: [{ code: 'FORBIDDEN' }],
  });
  expect(await nameOf(tenant.keyId)).toBe('test');
  expect(await auditOf(tenant)).toEqual([]);
});

test('an action that continues after a failed statement does not commit', async () => {
  const tenant = await createTenant();
  const careless: Action<undefined, string> = async ({ em }) => {
    await em.execute(`UPDATE sdk_keys SET name = 'half'`);
    await em.execute('SELECT 1 / 0').catch(() => undefined);
    return 'done';
  };
  await expect(runAction(contextOf(deps(), tenant), careless, undefined)).rejects.toThrow(
    'the transaction ended with ROLLBACK',
  );
  expect(await nameOf(tenant.keyId)).toBe('test');
});

test('nothing is changed by a request without a viewer', async () => {
  const tenant = await createTenant();
  const context = createContext(deps(), 'request', undefined);
  const attempt = runAction(context, rename, { keyId: tenant.keyId, name: 'x' });
  await expect(attempt).rejects.toMatchObject({ rejections: [{ code: 'UNAUTHENTICATED' }] });
});

test('a row of another tenant is not found', async () => {
  const [mine, other] = [await createTenant(), await createTenant()];
  const attempt = runAction(contextOf(deps(), mine), rename, { keyId: other.keyId, name: 'x' });
  await expect(attempt).rejects.toThrow('not found');
});

const countCells: Action<undefined, number> = ({ em }) => countOf(em, Cell, {});

test('only platform admins act across all organizations', async () => {
  const tenant = await createTenant();
  const owner = contextOf(deps(), tenant, { roles: ['owner'] });
  await expect(runPlatformAction(owner, countCells, undefined)).rejects.toMatchObject({
    rejections: [{ code: 'FORBIDDEN' }],
  });
  const admin = contextOf(deps(), tenant, { roles: ['platform_admin'] });
  expect(await runPlatformAction(admin, countCells, undefined)).toBeGreaterThan(0);
});

test('all reads of a request share one transaction, and see the effects of its actions', async () => {
  const tenant = await createTenant();
  const context = contextOf(deps(), tenant);
  const [first, second] = await Promise.all([context.read(), context.read()]);
  expect(first).toBe(second);
  const read = async () => (await (await context.read()).findOneOrFail(SdkKey, tenant.keyId)).name;
  expect(await read()).toBe('test');
  await sql(`UPDATE sdk_keys SET name = 'meanwhile' WHERE id = $1`, [tenant.keyId]);
  first.clear();
  expect(await read()).toBe('test');
  await runAction(context, rename, { keyId: tenant.keyId, name: 'renamed' });
  expect(await read()).toBe('renamed');
  await context.finish();
  await expect(context.read()).rejects.toThrow('after the end');
});

test('a read changes nothing', async () => {
  const tenant = await createTenant();
  const context = contextOf(deps(), tenant);
  const em = await context.read();
  await expect(em.nativeUpdate(SdkKey, tenant.keyId, { name: 'x' })).rejects.toThrow('read-only');
  await context.finish();
});

test('many requests that read, act and read again complete with two connections', async () => {
  const tenant = await createTenant();
  const requests = Array.from({ length: 20 }, async (_, index) => {
    const context = contextOf(deps(), tenant);
    await (await context.read()).findAll(SdkKey);
    await runAction(context, rename, { keyId: tenant.keyId, name: `name ${index}` });
    await (await context.read()).findAll(SdkKey);
    await context.finish();
  });
  await Promise.all(requests);
  expect(await auditOf(tenant)).toHaveLength(20);
});

test('a transaction without statements needs no round trip, and leaves nothing behind', async () => {
  const tenant = await createTenant();
  const { database } = deps();
  expect(await database.asTenant(tenant.organizationId, async () => 'done')).toBe('done');
  const left = await database.asTenant(tenant.organizationId, em =>
    em.execute('SELECT count(*)::int AS rows FROM sdk_keys'),
  );
  expect(left).toEqual([{ rows: 1 }]);
});
