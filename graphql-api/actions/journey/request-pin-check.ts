import type { EntityManager } from '@mikro-orm/postgresql';

/** Of the job, which the actions that it is asked by must not import: it stands on them. */
const JOB = 'migrate-broken-pins';

/** Asks for a look at who is pinned to older versions, with the transaction that made this one Active;
 * whoever made it so, an operator or an approver. */
export async function requestPinCheck(
  em: EntityManager,
  id: string,
  { id: versionId, workspaceId }: { readonly id: string; readonly workspaceId: string },
): Promise<void> {
  await em.execute(
    `INSERT INTO job_requests (id, organization_id, job, data)
     SELECT ?, organization_id, ?, ?::jsonb FROM workspaces WHERE id = ?`,
    [id, JOB, JSON.stringify({ versionId }), workspaceId],
  );
}
