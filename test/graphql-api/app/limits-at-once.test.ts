// Limits on the number of objects also hold for concurrent requests: the second one counts after
// the first has committed.

import { afterAll, expect, test } from 'vitest';
import { type Action, runAction } from '../../../graphql-api/platform/run-action.ts';
import { analystLoginCreate } from '../../../graphql-api/tenancy/analyst-login.actions.ts';
import { propertyCreate } from '../../../graphql-api/tenancy/property.actions.ts';
import { sdkKeyCreate } from '../../../graphql-api/tenancy/sdk-key.actions.ts';
import { subjectRevoke } from '../../../graphql-api/tenancy/subject.actions.ts';
import { workspaceCreate } from '../../../graphql-api/tenancy/workspace.actions.ts';
import type { ProblemCode } from '../../../schema/values/problem.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { contextOf, useDeps } from '../harness/deps.ts';

const deps = useDeps();

type Limited = {
  readonly name: string;
  readonly action: Action<{ readonly name: string }, unknown>;
  readonly code: ProblemCode;
  /** The lock for which the second request waits. */
  readonly lock: (tenant: Tenant) => string;
  /** Creates objects until only one more is allowed. */
  readonly fill: (tenant: Tenant) => Promise<unknown>;
};

const LIMITED: readonly Limited[] = [
  {
    name: 'analyst logins of a workspace',
    action: analystLoginCreate,
    code: 'TOO_MANY_ANALYST_LOGINS',
    lock: ({ workspaceId }) => `analyst_logins of ${workspaceId}`,
    fill: ({ workspaceId }) =>
      sql(
        `INSERT INTO analyst_logins (id, workspace_id, name, user_name, password_hash, created_by)
         SELECT gen_random_uuid(), $1::uuid, 'l', 'analyst_' || substr(md5($1::text || n), 1, 12), repeat('0', 64), 'test of limits'
         FROM generate_series(2, 20) n`,
        [workspaceId],
      ),
  },
  {
    name: 'keys of a workspace',
    action: sdkKeyCreate,
    code: 'TOO_MANY_SDK_KEYS',
    lock: ({ workspaceId }) => `sdk_keys of ${workspaceId}`,
    fill: ({ workspaceId }) =>
      sql(
        `INSERT INTO sdk_keys (id, workspace_id, name, write_key)
         SELECT gen_random_uuid(), $1::uuid, 'k', 'wk_once_' || $1 || '_' || n
         FROM generate_series(2, 99) n`,
        [workspaceId],
      ),
  },
  {
    name: 'properties of a workspace',
    action: propertyCreate,
    code: 'TOO_MANY_PROPERTIES',
    lock: ({ workspaceId }) => `properties of ${workspaceId}`,
    fill: ({ workspaceId }) =>
      sql(
        `INSERT INTO properties (id, workspace_id, name)
         SELECT gen_random_uuid(), $1, 'p' FROM generate_series(2, 99)`,
        [workspaceId],
      ),
  },
  {
    name: 'revoked users of an organisation',
    action: (scope, { name }: { name: string }) => subjectRevoke(scope, { userId: name }),
    code: 'TOO_MANY_REVOKED_SUBJECTS',
    lock: ({ organizationId }) => `revoked_subjects of ${organizationId}`,
    fill: ({ organizationId }) =>
      sql(
        `INSERT INTO revoked_subjects (id, organization_id, subject, revoked_by, created_at)
         SELECT gen_random_uuid(), $1, 'u' || n, 'test', now() FROM generate_series(2, 10000) n`,
        [organizationId],
      ),
  },
  {
    name: 'workspaces of an organisation',
    action: workspaceCreate,
    code: 'TOO_MANY_WORKSPACES',
    lock: ({ organizationId }) => `workspaces of ${organizationId}`,
    fill: ({ organizationId }) =>
      sql(
        `INSERT INTO workspaces (id, organization_id, cell_id, name)
         SELECT gen_random_uuid(), organization_id, cell_id, 'w'
         FROM workspaces, generate_series(2, 99) WHERE organization_id = $1`,
        [organizationId],
      ),
  },
];

// The shared ClickHouse allows only a few dozen logins.
afterAll(() =>
  sql("UPDATE analyst_logins SET revoked_at = now() WHERE created_by = 'test of limits'"),
);

test.for(LIMITED)('$name', async ({ action, code, lock, fill }) => {
  const tenant = await createTenant();
  await fill(tenant);
  const [done, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly: typeof action = async (scope, input) => {
    await action(scope, input);
    done.resolve();
    await mayCommit.promise;
  };
  const first = runAction(contextOf(deps(), tenant), slowly, { name: 'first' });
  await Promise.race([done.promise, first]);
  const second = runAction(contextOf(deps(), tenant), action, { name: 'second' }).then(
    () => 'done',
    (error: { rejections: { code: string }[] }) => error.rejections[0]?.code,
  );
  await Promise.race([second, eventually(() => expectSomebodyWaitsFor(lock(tenant)))]);
  mayCommit.resolve();
  await first;
  expect(await second).toBe(code);
});

async function expectSomebodyWaitsFor(name: string): Promise<void> {
  const waiting = await sql(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)`,
    [name],
  );
  expect(waiting).not.toEqual([]);
}
