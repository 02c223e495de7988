import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { Context } from '../../platform/context.ts';
import { workspaceReads } from '../../platform/database/entity-reads.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { replayRejectedEvents } from './replay.job.ts';

export const rejectedEventsReplays = workspaceReads(RejectedEventsReplay);

export type ReplayState = 'WAITING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/**
 * The states, from the job queue, of replays that have not recorded their end. Jobs belong to no
 * tenant, so this query runs as the system role. The caller must pass only IDs of replays that the
 * viewer can see.
 */
export async function unfinishedStatesByIds({ deps }: Context, ids: readonly string[]) {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<{ readonly id: string; readonly state: ReplayState }>`
        SELECT asked.id, CASE
          -- If the job completed after the replay was read, the counts read with it are not final.
          WHEN bool_or(job.state IN ('active', 'completed')) THEN 'RUNNING'
          WHEN bool_or(job.state < 'active')
            OR EXISTS (SELECT FROM job_requests WHERE id = asked.id) THEN 'WAITING'
          ELSE 'FAILED' END AS state
        FROM unnest(${ids}::uuid[]) AS asked (id)
        -- A failed job that a platform admin retried has a different ID.
        LEFT JOIN ${sql.table(`${JOB_QUEUE_SCHEMA}.job`)} AS job
          ON job.name = ${replayRejectedEvents.name}
            AND (job.id = asked.id OR job.source_root_id = asked.id)
        GROUP BY asked.id`,
    ),
  );
}
