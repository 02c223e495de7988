import type { EntityManager } from '@mikro-orm/postgresql';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { BREAKABLE_SNAPSHOTS } from './rollout.breakable-snapshots.ts';

/** Of the job, which the actions that it is asked by must not import: it stands on them. */
const JOB = 'migrate-broken-pins';

/** Asks for a look at who is pinned to older versions, with the transaction that made this one Active;
 * whoever made it so, an operator or an approver. Mostly there is nobody whom it could concern. */
export async function requestPinCheck(
  em: EntityManager,
  id: string,
  { id: versionId, workspaceId }: { readonly id: string; readonly workspaceId: string },
): Promise<void> {
  const parameters = [versionId, id, JOB, JSON.stringify({ versionId }), workspaceId];
  await numberedSql(em).executeSql(REQUEST, parameters);
}

const REQUEST = `
  WITH ${BREAKABLE_SNAPSHOTS}
  INSERT INTO job_requests (id, organization_id, job, data)
  SELECT $2, organization_id, $3, $4::jsonb FROM workspaces
  WHERE id = $5 AND EXISTS (
    SELECT FROM snapshot JOIN enrolments ON snapshot_id = snapshot.id WHERE ended_at IS NULL)`;
