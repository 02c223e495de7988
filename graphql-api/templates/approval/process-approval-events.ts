// The approvers' inbox is worked off in every API process, all the time: a webhook takes effect well
// within a second. Each event by itself, the oldest first; none waits for another that fails.

import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { applyApprovalEvent, failApprovalEvent } from './apply-event.ts';

export type ApprovalInbox = {
  /** What is under way is waited for; the rest stays for the next process. */
  stop(): Promise<void>;
};

type InboxDeps = Pick<AppDeps, 'database' | 'log' | 'clock' | 'newId' | 'pinning'>;

/** A look is one question of a small index; verdicts take minutes anyway. */
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
      deps.log.warn({ reason: reasonOf(error), failures }, 'events of approvers wait');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** Throws only where the database is away. */
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
    if (effect?.why === 'UNKNOWN_WORD')
      log.error({ eventId }, 'an approver says what we do not know');
  } catch (error) {
    const reason = reasonOf(error);
    const isLost = await database.asSystem(em => failApprovalEvent({ em, deps }, eventId, reason));
    log[isLost ? 'error' : 'warn']({ eventId, reason }, 'an event of an approver failed');
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
