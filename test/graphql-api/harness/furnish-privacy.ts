// Erasures and exports of a tenant, for the tests that walk the schema.

import { digestOf } from '../../../graphql-api/privacy/person-key.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

type Workspace = Pick<Tenant, 'workspaceId'>;

export function erasureIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('erasure of a test', workspaceId);
}

export function personExportIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('export of a test', workspaceId);
}

export function retentionRuleIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('retention rule of a test', workspaceId);
}

/** A person without stored data. */
export function confirmedNobody({ workspaceId }: Workspace) {
  const ids = { userIds: [`nobody-of-${workspaceId}`], anonymousIds: [] };
  return { ...ids, confirmation: digestOf(ids) };
}

/**
 * A completed erasure and a retention rule far in the future, which no process changes, and an
 * export of a person without data.
 */
export async function furnishPrivacy(tenant: Workspace): Promise<void> {
  const { workspaceId } = tenant;
  const { confirmation } = confirmedNobody(tenant);
  await sql(
    `INSERT INTO person_erasures (id, workspace_id, actor_id, state, digest, name_hashes, device_hashes,
       late_days, completed_at)
     VALUES ($1, $2, $3, 'COMPLETED', $4, '{}', '{}', 30, now())`,
    [erasureIdOf(tenant), workspaceId, `of-${workspaceId}`, confirmation],
  );
  await sql(
    `INSERT INTO person_exports (id, workspace_id, actor_id, name_hashes, device_hashes, expires_at)
     VALUES ($1, $2, 'user-of-a-test', '{}', '{}', now() + interval '1 day')`,
    [personExportIdOf(tenant), workspaceId],
  );
  await sql(
    `INSERT INTO retention_rules (id, workspace_id, dataset, keep_days, effective_at, created_by)
     VALUES ($1, $2, 'SEND_AUDITS', 365, '2100-01-01', $3)`,
    [retentionRuleIdOf(tenant), workspaceId, `of-${workspaceId}`],
  );
}
