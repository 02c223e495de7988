import type { EntityManager } from '@mikro-orm/postgresql';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { BREAKABLE_SNAPSHOTS } from './rollout.breakable-snapshots.ts';

/** The name of the job. Importing the job would be circular, because it imports the caller. */
const JOB = 'migrate-broken-pins';

/**
 * Queues a check of the enrolments pinned to older versions, in the transaction that made this
 * version Active. Queues nothing if no enrolment can be affected, which is the usual case.
 */
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
