import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { personHash } from '../../../graphql-api/privacy/person-key.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

test('the erasures of a user are found until they are completed', async () => {
  const tenant = await createTenant();
  const id = await createErasure(tenant, 'asha');
  await createErasure(tenant, 'ravi');
  await createErasure(await createTenant(), 'asha');
  expect(await erasuresOf(tenant, 'asha')).toHaveLength(1);
  expect(await erasuresOf(tenant, 'zola')).toEqual([]);
  await sql(
    `UPDATE person_erasures SET state = 'COMPLETED', name_hashes = '{}', device_hashes = '{}',
       completed_at = now(), next_pass_at = NULL WHERE id = $1`,
    [id],
  );
  expect(await erasuresOf(tenant, 'asha')).toEqual([]);
});

async function createErasure({ workspaceId }: Tenant, userId: string): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO person_erasures
       (id, workspace_id, actor_id, digest, name_hashes, device_hashes, late_days, next_pass_at)
     VALUES ($1, $2, 'owner', $3, ARRAY[$4], '{}', 2, now() + interval '1 day')`,
    [id, workspaceId, 'ab'.repeat(32), personHash(workspaceId, userId)],
  );
  return id;
}

async function erasuresOf({ organizationId }: Tenant, userId: string): Promise<unknown[]> {
  const { data, text } = await api().graphql(
    'query ($userId: String) { personErasures(first: 10, userId: $userId) { nodes { id } } }',
    { token: await tokenFor(organizationId), variables: { userId } },
  );
  expect(data, text).toBeTruthy();
  return (data!.personErasures as { readonly nodes: unknown[] }).nodes;
}
