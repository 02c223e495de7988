// Every API process continuously processes the gateway inbox, so a webhook normally takes effect
// within a second. Each event has its own transaction, so a failing event does not block others.
// The order of events does not matter.

import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { applyEvent, type EventOutcome } from './apply-event.ts';
import { failEvent, reasonOf } from './fail-event.ts';
import { NEWLY_READABLE } from './newly-readable.ts';

export type GatewayInbox = {
  /** Waits for the events in progress. The remaining ones are left to other processes. */
  stop(): Promise<void>;
};

type InboxDeps = Pick<AppDeps, 'database' | 'log' | 'metrics' | 'clock' | 'newId'>;

/** Each poll is two queries on small indexes. */
const LOOK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;
/** Events per poll: some tenths of a second of work. */
const BATCH_MAX = 100;
/** Concurrent events. Jobs and platform admins share the few connections. */
const LANES = 2;

export function startGatewayInbox(deps: InboxDeps): GatewayInbox {
  const stopping = new AbortController();
  const working = repeat(() => processDueEvents(deps, stopping.signal), {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      deps.log.warn(
        { reason: reasonOf(error), failures },
        'gateway event processing failed, retrying',
      );
    },
  });
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** Throws only if the database is unavailable. */
export async function processDueEvents(deps: InboxDeps, signal?: AbortSignal): Promise<Repeated> {
  const due = await dueEvents(deps);
  const waiting = [...due];
  const lane = async () => {
    while (signal?.aborted !== true) {
      const id = waiting.shift();
      if (id === undefined) return;
      await processEvent(deps, id);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return due.length === BATCH_MAX ? 'again' : 'wait';
}

async function processEvent(deps: InboxDeps, eventId: string): Promise<void> {
  const { database, log, metrics } = deps;
  let outcome: EventOutcome | 'FAILED' | 'PARKED';
  try {
    outcome = await database.asSystem(em => applyEvent({ em, deps }, eventId));
  } catch (error) {
    const isParked = await database.asSystem(em => failEvent(em, eventId, error));
    outcome = isParked ? 'PARKED' : 'FAILED';
    log[isParked ? 'error' : 'warn'](
      { eventId, reason: reasonOf(error) },
      isParked ? 'gateway event parked' : 'gateway event failed, retrying',
    );
  }
  if (outcome !== 'GONE') metrics.gatewayEvents.inc({ outcome });
}

/**
 * Must match the predicate of the partial index, so that the loose index scan over accounts works.
 */
const NEW = "state IN ('RECEIVED', 'FAILED')";

/** Interleaves the accounts, so that one with many events does not block the others. */
async function dueEvents({ database }: InboxDeps): Promise<readonly string[]> {
  const rows = await database.asSystem(em =>
    em.execute<{ id: string }[]>(
      `WITH RECURSIVE accounts AS (
         (SELECT account_id FROM gateway_events WHERE ${NEW} ORDER BY account_id LIMIT 1)
         UNION ALL
         SELECT (SELECT event.account_id FROM gateway_events event
                 WHERE ${NEW} AND event.account_id > accounts.account_id
                 ORDER BY event.account_id LIMIT 1)
         FROM accounts WHERE account_id IS NOT NULL)
       (SELECT due.id FROM accounts CROSS JOIN LATERAL (
          SELECT id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at, id) AS place
          FROM gateway_events event
          WHERE event.account_id = accounts.account_id AND ${NEW} AND next_attempt_at <= now()
          ORDER BY next_attempt_at, id LIMIT ${BATCH_MAX}) due
        ORDER BY place, next_attempt_at LIMIT ${BATCH_MAX})
       UNION ALL
       (SELECT id FROM gateway_events
        WHERE state = 'IGNORED' AND next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT ${BATCH_MAX})
       UNION ALL
       (SELECT id FROM gateway_events WHERE ${NEWLY_READABLE} ORDER BY reader, id LIMIT ${BATCH_MAX})
       LIMIT ${BATCH_MAX}`,
    ),
  );
  return rows.map(({ id }) => id);
}
