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

/** Moments after the job has begun it says so itself; until then, and should it die, the queue knows. */
export type UnfinishedState = { readonly id: string; readonly state: ReplayState };

/**
 * What the queue says of replays that haven't written their end. Jobs are nobody's own, so that this
 * is asked as the system: the ids must be of replays that the viewer was shown.
 */
export async function unfinishedStatesByIds(
  { deps }: Context,
  ids: readonly string[],
): Promise<readonly UnfinishedState[]> {
  return deps.database.asSystem(em =>
    em.execute<UnfinishedState[]>(
      `SELECT asked.id, CASE
         -- Completed since the replay was read: what was read beside this are not its last counts.
         WHEN bool_or(job.state IN ('active', 'completed')) THEN 'RUNNING'
         WHEN bool_or(job.state < 'active')
           OR EXISTS (SELECT FROM job_requests WHERE id = asked.id) THEN 'WAITING'
         ELSE 'FAILED' END AS state
       FROM unnest(?::uuid[]) AS asked (id)
       -- Given up and tried again by a platform admin, it has another id.
       LEFT JOIN ${JOB_QUEUE_SCHEMA}.job AS job
         ON job.name = ? AND (job.id = asked.id OR job.source_root_id = asked.id)
       GROUP BY asked.id`,
      [`{${ids.join()}}`, replayRejectedEvents.name],
    ),
  );
}
