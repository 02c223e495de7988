// The second layer of tenant isolation without the first: these queries do not filter by
// organization.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ALL_ENTITIES } from '../../../graphql-api/app/all-entities.ts';
import { AuditEntry } from '../../../graphql-api/platform/audit-entry.entity.ts';
import { openDatabase } from '../../../graphql-api/platform/database/database.ts';
import { SdkKey } from '../../../graphql-api/tenancy/sdk-key.entity.ts';
import { databaseUrls } from '../../../schema/environment/database-urls.ts';
import { createTenant, sql } from '../../harness/tenant.ts';
import { useDeps } from '../harness/deps.ts';

const deps = useDeps();

describe('a transaction of a tenant', () => {
  test('runs as the application role, which row-level security binds', async () => {
    const tenant = await createTenant();
    const [role] = await deps().database.asTenant(tenant.organizationId, em =>
      em.execute<Record<string, unknown>[]>(
        `SELECT current_user AS name, rolsuper, rolbypassrls,
                row_security_active('sdk_keys') AS "isBound",
                pg_has_role('service_system', 'MEMBER') AS "isSystem",
                current_setting('app.organization_id') AS "organizationId"
         FROM pg_roles WHERE rolname = current_user`,
      ),
    );
    expect(role).toEqual({
      name: 'service_app',
      rolsuper: false,
      rolbypassrls: false,
      isBound: true,
      isSystem: false,
      organizationId: tenant.organizationId,
    });
  });

  test('sees its own rows only, of every entity', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    await fillAuditLog(mine.organizationId, other.organizationId);
    const { database } = deps();
    const keys = await database.asTenant(mine.organizationId, em => em.findAll(SdkKey));
    expect(keys.map(key => key.id)).toEqual([mine.keyId]);
    const entries = await database.asTenant(mine.organizationId, em => em.findAll(AuditEntry));
    expect(entries.map(entry => entry.organizationId)).toEqual([mine.organizationId]);
  });

  test('the organization of a connection is reset at the end of the transaction', async () => {
    const tenant = await createTenant();
    const { database } = deps();
    const seen = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const id = index % 2 === 0 ? tenant.organizationId : uuidv7();
        return (await database.asTenant(id, em => em.findAll(SdkKey))).length;
      }),
    );
    expect(seen).toEqual([1, 0, 1, 0, 1, 0]);
  });

  test('adds nothing to another organization', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const planted = deps().database.asTenant(mine.organizationId, em =>
      em.insert(SdkKey, {
        id: uuidv7(),
        workspaceId: other.workspaceId,
        name: 'planted',
        writeKey: `wk_${uuidv7()}`,
      }),
    );
    await expect(planted).rejects.toThrow('row-level security');
  });

  test('changes nothing of another organization', async () => {
    const [mine, other] = [await createTenant(), await createTenant()];
    const changed = await deps().database.asTenant(mine.organizationId, em =>
      em.nativeUpdate(SdkKey, { id: other.keyId }, { name: 'taken over' }),
    );
    expect(changed).toBe(0);
  });

  test('an invalid ID is refused by Postgres', async () => {
    const attempt = deps().database.asTenant("' ; RESET ROLE; --", em => em.findAll(SdkKey));
    await expect(attempt).rejects.toThrow('invalid input syntax for type uuid');
  });
});

test('without an organization, the application role sees no rows of any tenant table', async () => {
  await createTenant();
  const open = ['cells'];
  const database = await openDatabase({
    urls: inject('databaseUrls'),
    poolMax: 2,
    entities: ALL_ENTITIES,
    log: { warn: () => undefined },
  });
  onTestFinished(() => database.close());
  const transaction = await database.openRead(uuidv7());
  onTestFinished(() => transaction.close());
  const tables = await sql(
    `SELECT table_name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(ALL_ENTITIES.length);
  for (const { table_name: name } of tables) {
    const table = String(name);
    const [may] = await transaction.em.execute<{ read: boolean }[]>(
      `SELECT has_table_privilege('${table}', 'SELECT') AS read`,
    );
    if (!may!.read) continue;
    const [row] = await transaction.em.execute<{ count: bigint }[]>(
      `SELECT count(*) AS count FROM ${table}`,
    );
    if (!open.includes(table)) expect(row!.count, table).toBe(0n);
  }
});

test.each([
  ['the tables’ owner', () => inject('databaseUrls').owner],
  ['the system role', () => inject('databaseUrls').system],
])('%s is refused for the application role', async (_who, url) => {
  const database = await openDatabase({
    urls: { app: url(), system: inject('databaseUrls').system },
    poolMax: 2,
    entities: ALL_ENTITIES,
    log: { warn: () => undefined },
  });
  onTestFinished(() => database.close());
  expect(await database.fault()).toContain('must be service_app');
  await expect(database.asTenant(uuidv7(), em => em.findAll(SdkKey))).rejects.toThrow(
    'must be service_app',
  );
});

test('addresses derived from the owner’s switch to the two roles', async () => {
  const database = await openDatabase({
    urls: databaseUrls({ DATABASE_URL: inject('databaseUrls').owner }),
    poolMax: 2,
    entities: ALL_ENTITIES,
    log: { warn: () => undefined },
  });
  onTestFinished(() => database.close());
  expect(await database.fault()).toBeUndefined();
});

test('the system role sees every organization', async () => {
  const tenants = [await createTenant(), await createTenant()];
  const ids = tenants.map(tenant => tenant.keyId);
  const keys = await deps().database.asSystem(em => em.find(SdkKey, { id: { $in: ids } }));
  expect(keys).toHaveLength(2);
});

describe('the audit log', () => {
  test.each([
    ['application', () => inject('databaseUrls').app],
    ['system', () => inject('databaseUrls').system],
  ])('the %s role cannot change it', async (_role, url) => {
    await expect(sql(`UPDATE audit_log SET action = 'a.b'`, [], url())).rejects.toThrow('denied');
    await expect(sql('DELETE FROM audit_log', [], url())).rejects.toThrow('denied');
  });

  test.each(["UPDATE audit_log SET action = 'a.b'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'not even its owner can: %s',
    async statement => {
      await expect(sql(statement)).rejects.toThrow('audit_log is append-only');
    },
  );
});

async function fillAuditLog(...organizationIds: string[]): Promise<void> {
  for (const organizationId of organizationIds) {
    await sql(
      `INSERT INTO audit_log (id, organization_id, actor_id, action, subject_type, subject_id, request_id)
       VALUES ($1, $2, 'someone', 'thing.change', 'thing', '1', 'r')`,
      [uuidv7(), organizationId],
    );
  }
}
