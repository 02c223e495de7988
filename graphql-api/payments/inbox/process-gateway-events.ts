// The inbox of the gateway's webhooks. An event normally takes effect within a second. The order of
// events does not matter.

import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { EVENTS_MAX, type Inbox, processDue, startInbox } from '../../platform/jobs/inbox.ts';
import { Rejected } from '../../platform/rejected.ts';
import { READER } from '../facts/facts-of-event.ts';
import { UnreadableEvent } from '../facts/read-values.ts';
import { applyEvent, type EventOutcome, NEWLY_READABLE } from './apply-event.ts';

type InboxDeps = Pick<AppDeps, 'database' | 'log' | 'metrics' | 'clock' | 'newId'>;

const GATEWAY_INBOX: Inbox<InboxDeps, EventOutcome> = {
  table: 'gateway_events',
  noun: 'gateway event',
  /** Each poll is two queries on small indexes. */
  lookIntervalMs: 250,
  lanes: 2,
  due: ({ em }) => rowsOf(em, DUE),
  apply: applyEvent,
  failure: (_deps, error) => ({
    isOpen: sql.raw(`${NEWLY_READABLE} OR state IN ('RECEIVED', 'FAILED', 'IGNORED')`),
    // Waits for an unknown object do not count as failures.
    failures: sql`CASE state WHEN 'IGNORED' THEN 1 ELSE attempts + 1 END`,
    columns: sql`error = ${reasonOf(error)}, reader = ${READER}`,
    states: { retried: 'FAILED', parked: 'PARKED' },
    now: sql`now()`,
    isHopeless: error instanceof UnreadableEvent,
  }),
  reasonOf,
  onSettled: ({ metrics }, _eventId, outcome) => {
    if (outcome !== 'GONE') metrics.gatewayEvents.inc({ outcome });
  },
};

export const startGatewayInbox = (deps: InboxDeps) => startInbox(deps, GATEWAY_INBOX);

export const processDueEvents = (deps: InboxDeps, signal?: AbortSignal) =>
  processDue(deps, GATEWAY_INBOX, signal);

/**
 * Must match the predicate of the partial index, so that the loose index scan over accounts works.
 */
const NEW = sql.raw("state IN ('RECEIVED', 'FAILED')");

/** Interleaves the accounts, so that one with many events does not block the others. */
const DUE = sql<{ id: string; requestId: string | null }>`
  WITH RECURSIVE accounts AS (
    (SELECT account_id FROM gateway_events WHERE ${NEW} ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT event.account_id FROM gateway_events event
            WHERE ${NEW} AND event.account_id > accounts.account_id
            ORDER BY event.account_id LIMIT 1)
    FROM accounts WHERE account_id IS NOT NULL)
  (SELECT due.id, due.request_id FROM accounts CROSS JOIN LATERAL (
     SELECT id, request_id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at, id) AS place
     FROM gateway_events event
     WHERE event.account_id = accounts.account_id AND ${NEW} AND next_attempt_at <= now()
     ORDER BY next_attempt_at, id LIMIT ${EVENTS_MAX}) due
   ORDER BY place, next_attempt_at LIMIT ${EVENTS_MAX})
  UNION ALL
  (SELECT id, request_id FROM gateway_events
   WHERE state = 'IGNORED' AND next_attempt_at <= now()
   ORDER BY next_attempt_at LIMIT ${EVENTS_MAX})
  UNION ALL
  (SELECT id, request_id FROM gateway_events WHERE ${sql.raw(NEWLY_READABLE)} ORDER BY reader, id LIMIT ${EVENTS_MAX})
  LIMIT ${EVENTS_MAX}`;

const REASON_CHARACTERS_MAX = 300;

/** Contains no values, because they could be personal data. */
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
