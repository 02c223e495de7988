import { JOB_QUEUE_SCHEMA } from '../../../schema/environment/job-queue.ts';
import type { Context } from '../../platform/context.ts';
import { type Page, type PageRequest, readPage } from '../../platform/database/page.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import { replayRejectedEvents } from './replay.job.ts';

export async function rejectedEventsReplaysPage(
  context: Context,
  page: PageRequest,
): Promise<Page<RejectedEventsReplay>> {
  const workspaceId = workspaceOf(context.viewer);
  return readPage(await context.read(), RejectedEventsReplay, { workspaceId }, page);
}

export async function rejectedEventsReplaysByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly RejectedEventsReplay[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  return em.find(RejectedEventsReplay, { id: { $in: [...ids] }, workspaceId });
}

export type ReplayState = 'WAITING' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/** The state of a replay that has not finished, read from the job queue. */
export type UnfinishedState = { readonly id: string; readonly state: ReplayState };

/**
 * The states of replays that have not recorded their end. Jobs belong to no tenant, so this query
 * runs as the system role. The caller must pass only IDs of replays that the viewer can see.
 */
export async function unfinishedStatesByIds(
  { deps }: Context,
  ids: readonly string[],
): Promise<readonly UnfinishedState[]> {
  return deps.database.asSystem(em =>
    em.execute<UnfinishedState[]>(
      `SELECT asked.id, CASE
         -- If the job completed after the replay was read, the counts read with it are not final.
         WHEN bool_or(job.state IN ('active', 'completed')) THEN 'RUNNING'
         WHEN bool_or(job.state < 'active')
           OR EXISTS (SELECT FROM job_requests WHERE id = asked.id) THEN 'WAITING'
         ELSE 'FAILED' END AS state
       FROM unnest(?::uuid[]) AS asked (id)
       -- A failed job that a platform admin retried has a different ID.
       LEFT JOIN ${JOB_QUEUE_SCHEMA}.job AS job
         ON job.name = ? AND (job.id = asked.id OR job.source_root_id = asked.id)
       GROUP BY asked.id`,
      [`{${ids.join()}}`, replayRejectedEvents.name],
    ),
  );
}
