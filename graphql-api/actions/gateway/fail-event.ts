// An event that could not be applied tries again, less and less often, and is parked in the end: a
// person looks at it and has it tried again. What is kept of the reason names no value: it could be
// somebody's.

import type { EntityManager } from '@mikro-orm/postgresql';
import { UnreadableEvent } from '../../../schema/rules/gateway/unreadable.ts';
import { Rejected } from '../../rejected.ts';

/** With the waits between them a quarter of an hour: longer than a deployment or a failover takes. */
export const ATTEMPTS_MAX = 10;
const FIRST_WAIT_SECONDS = 1;
const REASON_CHARACTERS_MAX = 300;

/** Whether it is parked now. */
export async function failEvent(
  em: EntityManager,
  eventId: string,
  error: unknown,
): Promise<boolean> {
  const isHopeless = error instanceof UnreadableEvent;
  const [row] = await em.execute<{ isParked: boolean }[]>(
    `UPDATE gateway_events SET attempts = attempts + 1, error = ?,
       state = CASE WHEN ? OR attempts + 1 >= ? THEN 'PARKED' ELSE 'FAILED' END,
       next_attempt_at = CASE WHEN ? OR attempts + 1 >= ? THEN NULL
         ELSE now() + make_interval(secs => ? * 2 ^ attempts) END
     WHERE id = ? AND state IN ('RECEIVED', 'FAILED', 'IGNORED')
     RETURNING state = 'PARKED' AS "isParked"`,
    [
      reasonOf(error),
      isHopeless,
      ATTEMPTS_MAX,
      isHopeless,
      ATTEMPTS_MAX,
      FIRST_WAIT_SECONDS,
      eventId,
    ],
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

/** The ORM wraps what the driver threw. */
function databaseErrorOf(error: unknown): DatabaseError {
  const { name, code, constraint, cause } = (error ?? {}) as DatabaseError & { cause?: unknown };
  if (typeof code === 'string' || cause === undefined) return { name, code, constraint };
  return { ...databaseErrorOf(cause), name };
}
