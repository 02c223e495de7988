// Every API process continuously works through the approvers' inbox, so that a webhook takes effect
// well within a second. Events are applied individually, oldest first; a failed one does not delay
// the others.

import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { applyApprovalEvent, failApprovalEvent } from './apply-event.ts';

export type ApprovalInbox = {
  /** Waits for the event in progress. The remaining events are left to the next process. */
  stop(): Promise<void>;
};

type InboxDeps = Pick<AppDeps, 'database' | 'log' | 'clock' | 'newId' | 'pinning'>;

/** A look reads one small index, and verdicts take minutes anyway. */
const LOOK_INTERVAL_MS = 500;
const RETRY_MS_MAX = 10_000;
const BATCH_MAX = 100;

export function startApprovalInbox(deps: InboxDeps): ApprovalInbox {
  const stopping = new AbortController();
  const working = repeat(() => processApprovalEvents(deps, stopping.signal), {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      deps.log.warn({ reason: reasonOf(error), failures }, 'approval inbox failed, retrying');
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
export async function processApprovalEvents(
  deps: InboxDeps,
  signal?: AbortSignal,
): Promise<Repeated> {
  const { database, clock } = deps;
  const due = await database.asSystem(em =>
    em.execute<{ id: string }[]>(
      `SELECT id FROM approval_events WHERE state = 'RECEIVED' AND next_attempt_at <= ?
       ORDER BY next_attempt_at, id LIMIT ${BATCH_MAX}`,
      [new Date(clock.nowMs()).toISOString()],
    ),
  );
  for (const { id } of due) {
    if (signal?.aborted === true) return 'wait';
    await processEvent(deps, id);
  }
  return due.length === BATCH_MAX ? 'again' : 'wait';
}

async function processEvent(deps: InboxDeps, eventId: string): Promise<void> {
  const { database, log } = deps;
  try {
    const effect = await database.asSystem(em => applyApprovalEvent({ em, deps }, eventId));
    if (effect?.why === 'UNKNOWN_WORD') log.error({ eventId }, 'unknown approver status ignored');
  } catch (error) {
    const reason = reasonOf(error);
    const isLost = await database.asSystem(em => failApprovalEvent({ em, deps }, eventId, reason));
    log[isLost ? 'error' : 'warn']({ eventId, reason }, 'approval event failed');
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
