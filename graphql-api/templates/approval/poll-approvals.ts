import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { isApprovedState } from '../transitions.ts';
import { applyReport } from './apply-report.ts';
import type { ApprovalFault, Approver, UpstreamTemplate } from './approver.ts';
import { type Approvers, approversOf } from './approvers.ts';
import { keepEvent } from './keep-event.ts';
import { disableMissing, type Listing, markListed, markMissing } from './missing-submissions.ts';
import { type Submission, submissionsByNames } from './submission.reads.ts';
import { faultOf } from './upstream-call.ts';
import { matchesHealth } from './upstream-status.ts';

export type PollDeps = Pick<AppDeps, 'database' | 'clock' | 'newId' | 'pinning' | 'config' | 'log'>;

type PollOptions = {
  readonly source: 'POLL' | 'SYNC';
  /** Limits changes to this workspace. */
  readonly workspaceId?: string;
  readonly approvers?: Approvers;
  readonly signal?: AbortSignal;
};

export type PollResult = { readonly changed: number; readonly faults: readonly string[] };

/** Far above the number of templates that an account can have, at a hundred per page. */
const PAGES_MAX = 1_000;

/** Reads the approvers' lists page by page, in case a webhook was lost. */
export async function pollApprovals(deps: PollDeps, options: PollOptions): Promise<PollResult> {
  const { approvers = approversOf(deps) } = options;
  const faults: string[] = [];
  let changed = 0;
  for (const approver of approvers.values()) {
    const startedAt = new Date(deps.clock.nowMs());
    const listing = { channel: approver.channel, workspaceId: options.workspaceId ?? null };
    await deps.database.asSystem(em => recordAttempt(em, listing, startedAt));
    const poll: Poll = { deps, approver, options, listing, startedAt, changed: 0 };
    const fault = await pollPages(poll);
    changed += poll.changed;
    const endedAt = new Date(deps.clock.nowMs());
    await deps.database.asSystem(em => recordResult(em, listing, fault, endedAt));
    if (fault === undefined) continue;
    const { kind, code, message } = fault;
    faults.push(`${approver.channel}: ${message} (${code})`);
    deps.log.warn({ channel: approver.channel, kind, code }, 'could not poll an approver');
  }
  return { changed, faults };
}

type Poll = {
  readonly deps: PollDeps;
  readonly approver: Approver;
  readonly options: PollOptions;
  readonly listing: Listing;
  readonly startedAt: Date;
  changed: number;
};

/** Missing templates are recorded only if the list was read to its end. */
async function pollPages(poll: Poll): Promise<ApprovalFault | undefined> {
  const { approver, options } = poll;
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    if (options.signal?.aborted === true)
      return faultOf('UNKNOWN', 'stopped', 'Polling stopped before the end of the list.').fault;
    const answer = await approver.list(after);
    if (!answer.isOk) return answer.fault;
    await applyPage(poll, answer.value.items);
    const { next } = answer.value;
    if (next === undefined) return disableAllMissing(poll);
    if (next === after) break;
    after = next;
  }
  return faultOf('UNKNOWN', 'no_end', 'The list has too many pages or repeats a page.').fault;
}

async function applyPage(poll: Poll, items: readonly UpstreamTemplate[]): Promise<void> {
  const { deps, approver, options, startedAt } = poll;
  const names = items.map(({ name }) => name);
  const submissions = await deps.database.asSystem(async em => {
    const found = await submissionsByNames(em, approver.channel, names, options.workspaceId);
    await markListed(em, found, startedAt);
    return found;
  });
  for (const submission of submissions) {
    const item = items.find(({ name }) => name === submission.upstreamName)!;
    if (isNews(submission, item.status, startedAt))
      await oneByOne(poll, submission.id, () => applyItem(poll, submission, item));
  }
}

/**
 * Most items are unchanged since the last list, but a newer event may contradict an unchanged item.
 */
function isNews(submission: Submission, status: string, at: Date): boolean {
  const { state, upstreamStatus, isCurrent, versionState } = submission;
  if (status !== upstreamStatus || state === 'PENDING') return true;
  const mayBeSent = state === 'APPROVED' && isCurrent && isApprovedState(versionState);
  return mayBeSent && !matchesHealth(status, submission, at);
}

/** A failed item does not hold up the others. */
async function oneByOne(poll: Poll, submissionId: string, work: () => Promise<boolean>) {
  try {
    if (await work()) poll.changed++;
  } catch (error) {
    poll.deps.log.error(
      { submissionId, err: error },
      'could not store an approver status, skipping it',
    );
  }
}

async function applyItem(
  { deps, options: { source }, startedAt: at }: Poll,
  submission: Submission,
  item: UpstreamTemplate,
): Promise<boolean> {
  return deps.database.asSystem(async em => {
    const { status, reason, upstreamId } = item;
    const report = { kind: 'STATUS', status, reason, upstreamId, at, healthUntil: null } as const;
    const effect = await applyReport({ em, deps }, submission, report);
    if (effect.why === 'UNKNOWN_WORD')
      deps.log.error(
        { submissionId: submission.id, word: status },
        'unknown approver status ignored',
      );
    if (effect.state !== 'PROCESSED') return false;
    await keepEvent({ em, deps }, { submission, item, source, at, effect });
    return true;
  });
}

async function disableAllMissing(poll: Poll): Promise<undefined> {
  const { deps, listing, startedAt } = poll;
  const gone = await deps.database.asSystem(em => markMissing(em, listing, startedAt));
  for (const id of gone) await oneByOne(poll, id, () => disableOne(poll, id));
}

async function disableOne(
  { deps, options: { source }, startedAt: at }: Poll,
  id: string,
): Promise<boolean> {
  return deps.database.asSystem(async em => {
    const gone = await disableMissing({ em, deps }, id, at);
    if (gone?.effect.state !== 'PROCESSED') return false;
    const { upstreamName, upstreamId } = gone.submission;
    const names = { name: upstreamName ?? '', upstreamId: upstreamId ?? '' };
    const item = { ...names, status: 'MISSING', reason: null };
    await keepEvent({ em, deps }, { ...gone, item, source, at });
    return true;
  });
}

/** Rows are locked in one order, so that concurrent polls cannot deadlock. */
async function recordAttempt(
  em: EntityManager,
  { channel, workspaceId }: Listing,
  at: Date,
): Promise<void> {
  await rowsOf(
    em,
    sql`INSERT INTO approval_syncs (workspace_id, channel, last_attempt_at)
      SELECT workspace_id, ${channel}, ${at} FROM (
        SELECT workspace_id FROM approval_sendings
        WHERE channel = ${channel} AND ${workspaceId}::uuid IS NULL
        UNION SELECT ${workspaceId}::uuid WHERE ${workspaceId}::uuid IS NOT NULL) polled
      ORDER BY workspace_id
      ON CONFLICT (workspace_id, channel) DO UPDATE SET last_attempt_at = excluded.last_attempt_at`,
  );
}

/** Locks in the same order. */
async function recordResult(
  em: EntityManager,
  { channel, workspaceId }: Listing,
  fault: ApprovalFault | undefined,
  at: Date,
): Promise<void> {
  const text = fault === undefined ? null : `${fault.message} (${fault.code})`;
  await rowsOf(
    em,
    sql`UPDATE approval_syncs s SET fault = ${text}, last_success_at = CASE WHEN ${text}::text IS NULL
        THEN ${at}::timestamptz ELSE s.last_success_at END
      FROM (SELECT workspace_id, channel FROM approval_syncs
        WHERE channel = ${channel} AND (${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId})
        ORDER BY workspace_id FOR UPDATE) polled
      WHERE s.workspace_id = polled.workspace_id AND s.channel = polled.channel`,
  );
}
