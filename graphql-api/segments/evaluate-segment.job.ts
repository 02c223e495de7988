import { z } from 'zod';
import { type AppDeps, type Context, createContext } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob } from '../platform/jobs/job.ts';
import { Rejected } from '../platform/rejected.ts';
import { evaluateRule } from './segment.evaluate.ts';
import type { SegmentRule } from './segment-rule.ts';
import { writeMembers } from './write-members.ts';

/** Evaluates one segment, because it was created or changed. */
export const evaluateSegment = defineJob({
  name: 'evaluate-segment',
  data: z.object({ segmentId: z.uuid() }),
  run: (context, { segmentId }, signal) => evaluateOne(context, segmentId, signal),
});

type FoundSegment = {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly rule: SegmentRule;
  readonly version: number;
  readonly isArchived: boolean;
};

/**
 * A refusal, such as too many people, is noted with the segment, which keeps its members. If ClickHouse is
 * not available, the job fails as well, and is retried.
 */
export async function evaluateOne(
  job: Context,
  segmentId: string,
  signal: AbortSignal,
): Promise<void> {
  const { deps, requestId } = job;
  const { clock, database } = deps;
  const [segment] = await database.asSystem(em => rowsOf(em, foundSegment(segmentId)));
  if (segment === undefined) return;
  if (segment.isArchived) return removeMembers(deps, segmentId, signal);
  const { organizationId, workspaceId, rule, version } = segment;
  const viewer = { userId: '', organizationId, workspaceId, roles: new Set<never>() };
  const context = createContext(deps, requestId, viewer);
  const nowMs = clock.nowMs();
  try {
    const { userIds } = await evaluateRule(context, rule, nowMs);
    signal.throwIfAborted();
    const evaluation = { segmentId, version, userIds, at: new Date(nowMs) };
    const written = await database.asSystem(em => writeMembers(em, deps, evaluation));
    job.note({ segmentId, members: userIds.length, ...written });
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const fault = error.rejections[0]!.code;
    job.note({ segmentId, fault });
    await database.asSystem(em =>
      rowsOf(
        em,
        sql`UPDATE segments SET attempted_at = ${new Date(nowMs)}, fault = ${fault} WHERE id = ${segmentId}`,
      ),
    );
    if (fault === 'REPORT_UNAVAILABLE') throw error;
  } finally {
    await context.finish();
  }
}

function foundSegment(segmentId: string) {
  return sql<FoundSegment>`
    SELECT workspace_id, organization_id, rule, version, archived_at IS NOT NULL AS is_archived
    FROM segments JOIN workspaces ON workspaces.id = workspace_id
    WHERE segments.id = ${segmentId}`;
}

/** Keeps transactions short. */
const REMOVED_MAX = 5_000;

async function removeMembers(
  { database }: Pick<AppDeps, 'database'>,
  segmentId: string,
  signal: AbortSignal,
): Promise<void> {
  let removed = REMOVED_MAX;
  while (removed === REMOVED_MAX) {
    signal.throwIfAborted();
    const rows = await database.asSystem(em =>
      rowsOf(
        em,
        sql`
          DELETE FROM segment_members WHERE id IN (
            SELECT id FROM segment_members WHERE segment_id = ${segmentId} LIMIT ${REMOVED_MAX})
          RETURNING 1`,
      ),
    );
    removed = rows.length;
  }
}
