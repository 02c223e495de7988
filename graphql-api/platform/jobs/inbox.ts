// An inbox is a table of events that are stored before they are processed. Every API process
// continuously processes due events. Each event has its own transaction, so a failing event does not
// block others. It is retried with increasing intervals and finally left for a person to resolve.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../context.ts';
import { type RawBuilder, rowsOf, sql } from '../database/kysely.ts';
import { withRequestId } from '../observe/request-id.ts';
import { type Repeated, repeat } from './repeat.ts';

type InboxDeps = Pick<AppDeps, 'database' | 'log'>;

export type Inbox<Deps extends InboxDeps, Outcome> = {
  readonly table: string;
  /** One event, for the log: `gateway event`. */
  readonly noun: string;
  readonly lookIntervalMs: number;
  /** Concurrent events. Jobs and platform admins share the few connections. */
  readonly lanes: number;
  /** At most EVENTS_MAX due events, in the order of their processing. */
  readonly due: (scope: Scope<Deps>) => Promise<readonly DueEvent[]>;
  /** Applies one event in the transaction. Must do nothing if another process holds the event. */
  readonly apply: (scope: Scope<Deps>, eventId: string) => Promise<Outcome>;
  /** How a failed attempt is stored. */
  readonly failure: (deps: Deps, error: unknown) => Failure;
  /** The description of an error in the log. */
  readonly reasonOf: (error: unknown) => string;
  /** Called after the transaction. */
  readonly onSettled: (deps: Deps, eventId: string, outcome: Outcome | FailedOutcome) => void;
};

type Scope<Deps> = { readonly em: EntityManager; readonly deps: Deps };

type DueEvent = {
  readonly id: string;
  /** The ID of the request that delivered the event, if it is known. */
  readonly requestId?: string | null;
};

/** PARKED: not retried. */
type FailedOutcome = 'FAILED' | 'PARKED';

type Failure = {
  /** Which events can fail. Another process may have processed the event in the meantime. */
  readonly isOpen: RawBuilder<unknown>;
  /** The number of failures of the event, including this one. */
  readonly failures: RawBuilder<unknown>;
  /** Assignments to the event's own columns, such as the reason. */
  readonly columns: RawBuilder<unknown>;
  /** The state of an event that is retried, and of one that is not. */
  readonly states: { readonly retried: string; readonly parked: string };
  /** By the clock that determines which events are due. */
  readonly now: RawBuilder<unknown>;
  /** A retry does not help. */
  readonly isHopeless: boolean;
};

/** Events per poll: a few tenths of a second of work. */
export const EVENTS_MAX = 100;
const RETRY_MS_MAX = 10_000;
/**
 * With the intervals between them (1 s, 2 s, 4 s …) about nine minutes, longer than a deployment or a
 * failover.
 */
const ATTEMPTS_MAX = 10;

export type RunningInbox = {
  /** Waits for the events in progress. The remaining ones are left to other processes. */
  stop(): Promise<void>;
};

export function startInbox<Deps extends InboxDeps, Outcome>(
  deps: Deps,
  inbox: Inbox<Deps, Outcome>,
): RunningInbox {
  const stopping = new AbortController();
  const working = repeat(() => processDue(deps, inbox, stopping.signal), {
    intervalMs: inbox.lookIntervalMs,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      const reason = inbox.reasonOf(error);
      deps.log.warn({ reason, failures }, `${inbox.noun} processing failed, retrying`);
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
export async function processDue<Deps extends InboxDeps, Outcome>(
  deps: Deps,
  inbox: Inbox<Deps, Outcome>,
  signal?: AbortSignal,
): Promise<Repeated> {
  const due = await deps.database.asSystem(em => inbox.due({ em, deps }));
  const waiting = [...due];
  const lane = async () => {
    while (signal?.aborted !== true) {
      const event = waiting.shift();
      if (event === undefined) return;
      const { id, requestId } = event;
      await withRequestId(requestId ?? `${inbox.noun.replace(' ', '-')}-${id}`, () =>
        processEvent(deps, inbox, id),
      );
    }
  };
  await Promise.all(Array.from({ length: inbox.lanes }, lane));
  return due.length === EVENTS_MAX ? 'again' : 'wait';
}

async function processEvent<Deps extends InboxDeps, Outcome>(
  deps: Deps,
  inbox: Inbox<Deps, Outcome>,
  eventId: string,
): Promise<void> {
  const { database, log } = deps;
  let outcome: Outcome | FailedOutcome;
  try {
    outcome = await database.asSystem(em => inbox.apply({ em, deps }, eventId));
  } catch (error) {
    const failure = inbox.failure(deps, error);
    const isParked = await database.asSystem(em => fail(em, inbox.table, eventId, failure));
    outcome = isParked ? 'PARKED' : 'FAILED';
    log[isParked ? 'error' : 'warn'](
      { eventId, reason: inbox.reasonOf(error) },
      `${inbox.noun} ${isParked ? 'parked' : 'failed, retrying'}`,
    );
  }
  inbox.onSettled(deps, eventId, outcome);
}

/** Returns whether the event is now parked. */
async function fail(
  em: EntityManager,
  table: string,
  eventId: string,
  { isOpen, failures, columns, states, now, isHopeless }: Failure,
): Promise<boolean> {
  const events = sql.table(table);
  const [failed] = await rowsOf(
    em,
    sql<{ isParked: boolean }>`
      WITH failed AS (
        SELECT id, failures, ${isHopeless} OR failures >= ${ATTEMPTS_MAX} AS is_parked
        FROM (
          SELECT id, ${failures} AS failures FROM ${events} WHERE id = ${eventId} AND (${isOpen})
          FOR UPDATE) tried)
      UPDATE ${events} event SET attempts = failures, ${columns},
        state = CASE WHEN is_parked THEN ${states.parked} ELSE ${states.retried} END,
        next_attempt_at = CASE WHEN is_parked THEN NULL
          ELSE ${now} + make_interval(secs => 2 ^ (failures - 1)) END
      FROM failed WHERE event.id = failed.id
      RETURNING is_parked`,
  );
  return failed?.isParked ?? false;
}
