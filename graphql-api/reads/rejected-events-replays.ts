import { RejectedEventsReplay } from '../../schema/entities/rejected-events-replay.ts';
import { JOB_QUEUE_SCHEMA } from '../../schema/rules/job-queue.ts';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { replayRejectedEvents } from '../jobs/replay-rejected-events.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

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
