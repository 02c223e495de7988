// Replaces the members of a segment by those of an evaluation. Only the difference is written.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';

type Evaluation = {
  readonly segmentId: string;
  /** The version of the segment whose rule was evaluated. */
  readonly version: number;
  readonly userIds: readonly string[];
  readonly at: Date;
};

/** Writes nothing if the segment has changed, or has an evaluation of a later time. */
export async function writeMembers(
  em: EntityManager,
  { segmentMembers }: Pick<AppDeps, 'segmentMembers'>,
  { segmentId, version, userIds, at }: Evaluation,
): Promise<{ readonly entered: number; readonly left: number }> {
  const [segment] = await rowsOf(
    em,
    sql<{ evaluatedAt: Date | null }>`
      SELECT evaluated_at FROM segments
      WHERE id = ${segmentId} AND version = ${version} AND archived_at IS NULL
        AND (evaluated_at IS NULL OR evaluated_at < ${at}) FOR UPDATE`,
  );
  if (segment === undefined) return { entered: 0, left: 0 };
  const left = await rowsOf(
    em,
    sql`
      DELETE FROM segment_members AS member
      WHERE segment_id = ${segmentId} AND NOT EXISTS (
        SELECT FROM unnest(${userIds}::text[]) AS stayed (user_id)
        WHERE stayed.user_id = member.user_id)
      RETURNING 1`,
  );
  const entered = await rowsOf(
    em,
    sql<{ userId: string }>`
      INSERT INTO segment_members (workspace_id, user_id, segment_id, created_at)
      SELECT workspace_id, found.user_id, segments.id, ${at}
      FROM segments, unnest(${userIds}::text[]) AS found (user_id)
      WHERE segments.id = ${segmentId}
      ON CONFLICT DO NOTHING
      RETURNING user_id`,
  );
  await rowsOf(
    em,
    sql`
      UPDATE segments SET evaluated_at = ${at}, attempted_at = ${at}, fault = NULL,
        member_count = ${userIds.length}
      WHERE id = ${segmentId}`,
  );
  const since = segment.evaluatedAt;
  if (since !== null && entered.length > 0) {
    const enteredIds = entered.map(({ userId }) => userId);
    await segmentMembers.membersEntered(em, { segmentId, userIds: enteredIds, at, since });
  }
  return { entered: entered.length, left: left.length };
}
