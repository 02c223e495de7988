// The inbox of the approvers' webhooks. A webhook takes effect well within a second. Events are
// applied one at a time, oldest first.

import type { AppDeps } from '../../platform/context.ts';
import { kysely, sql } from '../../platform/database/kysely.ts';
import { EVENTS_MAX, type Inbox, processDue, startInbox } from '../../platform/jobs/inbox.ts';
import { applyApprovalEvent } from './apply-event.ts';
import type { ReportOutcome } from './apply-report.ts';

type InboxDeps = Pick<AppDeps, 'database' | 'log' | 'clock' | 'newId' | 'pinning'>;

const APPROVAL_INBOX: Inbox<InboxDeps, ReportOutcome | undefined> = {
  table: 'approval_events',
  noun: 'approval event',
  /** A look reads one small index, and verdicts take minutes anyway. */
  lookIntervalMs: 500,
  lanes: 1,
  due: ({ em, deps }) =>
    kysely(em)
      .selectFrom('approval_events')
      .select('id')
      .where('state', '=', 'RECEIVED')
      .where('nextAttemptAt', '<=', new Date(deps.clock.nowMs()))
      .orderBy('nextAttemptAt')
      .orderBy('id')
      .limit(EVENTS_MAX)
      .execute(),
  apply: applyApprovalEvent,
  failure: ({ clock }, error) => ({
    isOpen: sql`state = 'RECEIVED'`,
    failures: sql`attempts + 1`,
    columns: sql`why = ${reasonOf(error)}`,
    states: { retried: 'RECEIVED', parked: 'FAILED' },
    now: sql`${new Date(clock.nowMs())}::timestamptz`,
    isHopeless: false,
  }),
  reasonOf,
  onSettled: ({ log }, eventId, outcome) => {
    if (typeof outcome === 'object' && outcome.why === 'UNKNOWN_WORD')
      log.error({ eventId }, 'unknown approver status ignored');
  },
};

export const startApprovalInbox = (deps: InboxDeps) => startInbox(deps, APPROVAL_INBOX);

export const processApprovalEvents = (deps: InboxDeps, signal?: AbortSignal) =>
  processDue(deps, APPROVAL_INBOX, signal);

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
