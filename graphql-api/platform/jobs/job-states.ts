import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { Context } from '../context.ts';
import { rowsOf, sql } from '../database/kysely.ts';
import type { Job } from './job.ts';

export type JobState = 'WAITING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/**
 * The states, read from the job queue, of rows that have the ID of their job and have not recorded their end yet.
 * Jobs belong to no tenant, so this query runs as the system role. The caller must pass only IDs of rows
 * that the viewer can see.
 */
export async function unfinishedStatesByIds(
  { deps }: Context,
  { name }: Pick<Job, 'name'>,
  ids: readonly string[],
) {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<{ readonly id: string; readonly state: JobState }>`
        SELECT asked.id, CASE
          -- If the job completed after the row was read, what was read with it is not final.
          WHEN bool_or(job.state IN ('active', 'completed')) THEN 'RUNNING'
          WHEN bool_or(job.state < 'active')
            OR EXISTS (SELECT FROM job_requests WHERE id = asked.id) THEN 'WAITING'
          ELSE 'FAILED' END AS state
        FROM unnest(${ids}::uuid[]) AS asked (id)
        -- A failed job that a platform admin retried has a different ID.
        LEFT JOIN ${sql.table(`${JOB_QUEUE_SCHEMA}.job`)} AS job
          ON job.name = ${name} AND (job.id = asked.id OR job.source_root_id = asked.id)
        GROUP BY asked.id`,
    ),
  );
}
