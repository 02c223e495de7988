// Sending again, under the same ids: single deliveries, or all of an endpoint's that a filter leaves.
// The endpoint must be enabled, or what is queued is cancelled again.

import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { numberedSql } from '../../platform/database/numbered-sql.ts';

/** Finished ones, and those that wait for their next attempt, which is made now. */
export const REPLAYED_IDS_MAX = 100;
/** Of a replay in all; of a busy endpoint that is some hours, and the rest can be asked for after. */
export const REPLAY_MAX = 100_000;
/** Queued in the action itself; more is a job's. */
export const REPLAY_AT_ONCE_MAX = 1_000;

export const replayFilter = z.object({
  workspaceId: z.guid(),
  endpointId: z.guid(),
  /** By when the delivery was made; from inclusive, to exclusive. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Only those that were not delivered. */
  isFailedOnly: z.boolean(),
});

export type ReplayFilter = z.output<typeof replayFilter>;

/** Says which were queued: unknown ones, tests, and what is being sent right now are not. */
export async function queueReplayOf(
  em: EntityManager,
  workspaceId: string,
  deliveryIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await numberedSql(em).executeSql(
    `${REQUEUE} WHERE id = ANY($1::uuid[]) AND workspace_id = $2 AND NOT is_test
       AND (state <> 'PENDING' OR claimed_until IS NULL OR claimed_until < now())
     RETURNING id`,
    [deliveryIds, workspaceId],
  );
  return (rows as { id: string }[]).map(({ id }) => id);
}

export type CountedReplay = {
  /** Up to REPLAY_MAX. */
  readonly count: number;
  /** By the clock of the database, which says when a delivery was finished too. */
  readonly asOf: string;
};

export async function countReplay(em: EntityManager, filter: ReplayFilter): Promise<CountedReplay> {
  const { conditions, values } = conditionsOf(filter);
  const { rows } = await numberedSql(em).executeSql(
    `SELECT count(*)::int AS count, to_json(now()) #>> '{}' AS "asOf"
     FROM (SELECT FROM webhook_deliveries WHERE ${conditions} LIMIT ${REPLAY_MAX}) AS found`,
    values,
  );
  return (rows as CountedReplay[])[0]!;
}

/**
 * The oldest of those that were finished before a moment, so that asking again goes on, and what a
 * replay has sent it doesn't send twice.
 */
export async function queueReplay(
  em: EntityManager,
  filter: ReplayFilter,
  { finishedBefore, max }: { readonly finishedBefore: string; readonly max: number },
): Promise<number> {
  const { conditions, values } = conditionsOf(filter);
  const { rows } = await numberedSql(em).executeSql(
    `${REQUEUE} WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE ${conditions} AND finished_at < $${values.length + 1}
       ORDER BY created_at, id LIMIT ${max} FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [...values, finishedBefore],
  );
  return rows.length;
}

const REQUEUE = `UPDATE webhook_deliveries
  SET state = 'PENDING', cause = 'REPLAY', step = 0, next_attempt_at = now(), finished_at = NULL,
      claimed_until = NULL`;

function conditionsOf({ workspaceId, endpointId, from, to, isFailedOnly }: ReplayFilter) {
  const states = isFailedOnly ? `'FAILED', 'CANCELLED'` : `'DELIVERED', 'FAILED', 'CANCELLED'`;
  return {
    conditions: `workspace_id = $1 AND endpoint_id = $2 AND NOT is_test AND state IN (${states})
      AND created_at >= coalesce($3::timestamptz, '-infinity')
      AND created_at < coalesce($4::timestamptz, 'infinity')`,
    values: [workspaceId, endpointId, from ?? null, to ?? null] as unknown[],
  };
}
