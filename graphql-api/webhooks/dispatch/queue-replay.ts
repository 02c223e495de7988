// Queues replays under the same IDs: of single deliveries, or of an endpoint's deliveries that
// match a filter. The endpoint must be enabled, or the queued deliveries are canceled again. The
// replay of a pending delivery makes its next attempt due now; deliveries being sent are left out.

import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { rowsOf, sql } from '../../platform/database/kysely.ts';

/** The limit per replay: some hours of a busy endpoint. The rest can be replayed afterwards. */
export const REPLAY_MAX = 100_000;
/** The number of deliveries up to which the action queues them itself. A job queues more. */
export const REPLAY_AT_ONCE_MAX = 1_000;

export const replayFilter = z.object({
  workspaceId: z.guid(),
  endpointId: z.guid(),
  /** The creation time of the delivery: from inclusive, to exclusive. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  /** Excludes delivered ones. */
  isFailedOnly: z.boolean(),
  /** Includes only deliveries that wait for their next attempt. */
  isPendingOnly: z.boolean().optional(),
});

export type ReplayFilter = z.output<typeof replayFilter>;

/** Returns the queued IDs. Unknown deliveries, tests and deliveries being sent are not queued. */
export async function queueReplayOf(
  em: EntityManager,
  workspaceId: string,
  deliveryIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await rowsOf(
    em,
    sql<{ readonly id: string }>`
      ${REQUEUE} WHERE id = ANY(${deliveryIds}) AND workspace_id = ${workspaceId} AND NOT is_test
        AND (state <> 'PENDING' OR claimed_until IS NULL OR claimed_until < now())
      RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

type CountedReplay = {
  /** At most REPLAY_MAX. */
  readonly count: number;
  /** The time by the database's clock, which also sets `finished_at`. */
  readonly asOf: string;
};

export async function countReplay(em: EntityManager, filter: ReplayFilter): Promise<CountedReplay> {
  const [counted] = await rowsOf(
    em,
    sql<CountedReplay>`
      SELECT count(*)::int AS count, to_json(now()) #>> '{}' AS as_of
      FROM (SELECT FROM webhook_deliveries WHERE ${isFinished(filter)}
            UNION ALL SELECT FROM webhook_deliveries WHERE ${isWaiting(filter)}
            LIMIT ${REPLAY_MAX}) AS found`,
  );
  return counted!;
}

/** The window of a replay: a delivery that finished or was tried after its start is left out. */
type ReplayWindow = { readonly finishedBefore: string; readonly max: number };

/**
 * Queues deliveries whose last attempt was before a given time: finished ones, then pending ones,
 * each oldest first. Therefore repeating the call continues the replay, and a delivery that the
 * replay has already sent is not sent twice.
 */
export async function queueReplay(
  em: EntityManager,
  filter: ReplayFilter,
  { finishedBefore, max }: ReplayWindow,
): Promise<number> {
  const finished = await requeue(
    em,
    sql`SELECT id FROM webhook_deliveries
        WHERE ${isFinished(filter)} AND finished_at < ${finishedBefore}
        ORDER BY created_at, id LIMIT ${max} FOR UPDATE SKIP LOCKED`,
  );
  if (finished === max) return finished;
  const waiting = await requeue(
    em,
    sql`SELECT id FROM webhook_deliveries AS delivery
        WHERE ${isWaiting(filter)} AND NOT EXISTS (
          SELECT FROM webhook_attempts
          WHERE delivery_id = delivery.id AND attempted_at >= ${finishedBefore})
        ORDER BY next_attempt_at, id LIMIT ${max - finished} FOR UPDATE SKIP LOCKED`,
  );
  return finished + waiting;
}

async function requeue(em: EntityManager, ids: ReturnType<typeof sql>): Promise<number> {
  return (await rowsOf(em, sql`${REQUEUE} WHERE id IN (${ids}) RETURNING 1`)).length;
}

const REQUEUE = sql`UPDATE webhook_deliveries
  SET state = 'PENDING', cause = 'REPLAY', step = 0, next_attempt_at = now(), finished_at = NULL,
      claimed_until = NULL`;

/** Finished deliveries that match. Apart from `isWaiting`, so that each has its own index. */
function isFinished({ isFailedOnly, isPendingOnly = false, ...filter }: ReplayFilter) {
  const states = isFailedOnly
    ? sql`'FAILED', 'CANCELLED'`
    : sql`'DELIVERED', 'FAILED', 'CANCELLED'`;
  return sql`${matches(filter)} AND state IN (${states}) AND NOT ${isPendingOnly}::boolean`;
}

/** Pending deliveries that match and are not due, nor being sent. */
function isWaiting(filter: Omit<ReplayFilter, 'isFailedOnly' | 'isPendingOnly'>) {
  return sql`${matches(filter)} AND ${IS_WAITING}`;
}

/** A pending delivery that is not due and not claimed. */
export const IS_WAITING = sql`state = 'PENDING' AND next_attempt_at > now()
  AND (claimed_until IS NULL OR claimed_until < now())`;

function matches({
  workspaceId,
  endpointId,
  from,
  to,
}: Omit<ReplayFilter, 'isFailedOnly' | 'isPendingOnly'>) {
  return sql`workspace_id = ${workspaceId} AND endpoint_id = ${endpointId} AND NOT is_test
    AND created_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
    AND created_at < coalesce(${to ?? null}::timestamptz, 'infinity')`;
}
