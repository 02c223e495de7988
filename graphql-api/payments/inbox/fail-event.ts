// An event that could not be applied is retried with increasing intervals and finally parked, until
// a platform admin replays it. The stored reason contains no values, because they could be personal
// data.

import type { EntityManager } from '@mikro-orm/postgresql';
import { Rejected } from '../../platform/rejected.ts';
import { READER } from '../facts/facts-of-event.ts';
import { UnreadableEvent } from '../facts/unreadable.ts';
import { NEWLY_READABLE } from './newly-readable.ts';

/**
 * With the intervals between them about a quarter of an hour, longer than a deployment or a
 * failover.
 */
export const ATTEMPTS_MAX = 10;
const FIRST_WAIT_SECONDS = 1;
const REASON_CHARACTERS_MAX = 300;

/** Returns whether the event is now parked. */
export async function failEvent(
  em: EntityManager,
  eventId: string,
  error: unknown,
): Promise<boolean> {
  const isHopeless = error instanceof UnreadableEvent;
  const [row] = await em.execute<{ isParked: boolean }[]>(
    `WITH failed AS (
       SELECT id, failures, ? OR failures >= ? AS "isParked"
       FROM (
         -- Waits for an unknown object do not count as failures.
         SELECT id, CASE state WHEN 'IGNORED' THEN 1 ELSE attempts + 1 END AS failures
         FROM gateway_events
         WHERE id = ? AND (${NEWLY_READABLE} OR state IN ('RECEIVED', 'FAILED', 'IGNORED'))
         FOR UPDATE) tried)
     UPDATE gateway_events event SET attempts = failures, error = ?, reader = ${READER},
       state = CASE WHEN "isParked" THEN 'PARKED' ELSE 'FAILED' END,
       next_attempt_at = CASE WHEN "isParked" THEN NULL
         ELSE now() + make_interval(secs => ? * 2 ^ (failures - 1)) END
     FROM failed WHERE event.id = failed.id
     RETURNING "isParked"`,
    [isHopeless, ATTEMPTS_MAX, eventId, reasonOf(error), FIRST_WAIT_SECONDS],
  );
  return row?.isParked ?? false;
}

export function reasonOf(error: unknown): string {
  return describe(error).slice(0, REASON_CHARACTERS_MAX);
}

function describe(error: unknown): string {
  if (error instanceof UnreadableEvent) return `UNREADABLE: ${error.message}`;
  if (error instanceof Rejected)
    return `REFUSED: ${error.rejections.map(({ code }) => code).join(', ')}`;
  const { name, code, constraint } = databaseErrorOf(error);
  const where = constraint === undefined ? '' : ` by ${constraint}`;
  return code === undefined ? `DEFECT: ${name}` : `DATABASE: ${code}${where}`;
}

type DatabaseError = {
  readonly name: string;
  readonly code?: string | undefined;
  readonly constraint?: string | undefined;
};

/** The ORM wraps the driver's error. */
function databaseErrorOf(error: unknown): DatabaseError {
  const { name, code, constraint, cause } = (error ?? {}) as DatabaseError & { cause?: unknown };
  if (typeof code === 'string' || cause === undefined) return { name, code, constraint };
  return { ...databaseErrorOf(cause), name };
}
