import type { AppDeps } from '../../platform/context.ts';
import { isApprovedState } from '../transitions.ts';
import { applyWord } from './apply-word.ts';
import type { ApprovalFault, Approver, UpstreamTemplate } from './approver.ts';
import { type Approvers, approversOf } from './approvers.ts';
import { keepEvent } from './keep-event.ts';
import {
  healthOf,
  type KnownSubmission,
  submissionById,
  submissionsByNames,
} from './known-submission.ts';
import { disableMissing, noteMissing, noteSeen } from './note-missing.ts';
import { noteAttempt, noteOutcome } from './note-sync.ts';
import { faultOf } from './upstream-call.ts';
import { agreesWith } from './upstream-words.ts';

export type PollDeps = Pick<AppDeps, 'database' | 'clock' | 'newId' | 'pinning' | 'config' | 'log'>;

export type PollOptions = {
  readonly source: 'POLL' | 'SYNC';
  /** Limits changes to this workspace. */
  readonly workspaceId?: string;
  readonly approvers?: Approvers;
  readonly signal?: AbortSignal;
};

export type Polled = { readonly changed: number; readonly faults: readonly string[] };

/** Far above the number of templates that an account can have, at a hundred per page. */
const PAGES_MAX = 1_000;

/** Reads the approvers' lists page by page, in case a webhook was lost. */
export async function pollApprovals(deps: PollDeps, options: PollOptions): Promise<Polled> {
  const { approvers = approversOf(deps) } = options;
  const faults: string[] = [];
  let changed = 0;
  for (const approver of approvers.values()) {
    const startedAt = new Date(deps.clock.nowMs());
    const asked = { channel: approver.channel, workspaceId: options.workspaceId ?? null };
    await deps.database.asSystem(em => noteAttempt(em, asked, startedAt));
    const poll: Poll = { deps, approver, options, startedAt, changed: 0 };
    const fault = await pollPages(poll);
    changed += poll.changed;
    const endedAt = new Date(deps.clock.nowMs());
    await deps.database.asSystem(em => noteOutcome(em, asked, fault, endedAt));
    if (fault === undefined) continue;
    const { kind, code, message } = fault;
    faults.push(`${approver.channel}: ${message} (${code})`);
    deps.log.warn({ channel: approver.channel, kind, code }, 'approver poll failed');
  }
  return { changed, faults };
}

type Poll = {
  readonly deps: PollDeps;
  readonly approver: Approver;
  readonly options: PollOptions;
  readonly startedAt: Date;
  changed: number;
};

/** Missing templates are recorded only if the list was read to its end. */
async function pollPages(poll: Poll): Promise<ApprovalFault | undefined> {
  const { approver, options } = poll;
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    if (options.signal?.aborted === true)
      return faultOf('UNKNOWN', 'stopped', 'The list was not read to its end.').fault;
    const answer = await approver.list(after);
    if (!answer.isOk) return answer.fault;
    await applyPage(poll, answer.value.items);
    const { next } = answer.value;
    if (next === undefined) return endPoll(poll);
    if (next === after) break;
    after = next;
  }
  return faultOf('UNKNOWN', 'no_end', 'The list does not end.').fault;
}

async function applyPage(poll: Poll, items: readonly UpstreamTemplate[]): Promise<void> {
  const { deps, approver, options, startedAt } = poll;
  const names = items.map(({ name }) => name);
  const known = await deps.database.asSystem(async em => {
    const submissions = await submissionsByNames(em, approver.channel, names, options.workspaceId);
    await noteSeen(em, submissions, startedAt);
    return submissions;
  });
  for (const submission of known) {
    const item = items.find(({ name }) => name === submission.upstreamName)!;
    if (isNews(submission, item.status, startedAt))
      await oneByOne(poll, submission.id, () => applyItem(poll, submission, item));
  }
}

/**
 * Most items are unchanged since the last list, but a newer event may contradict an unchanged item.
 */
function isNews(submission: KnownSubmission, status: string, at: Date): boolean {
  const { state, upstreamStatus, isCurrent, versionState } = submission;
  if (status !== upstreamStatus || state === 'PENDING') return true;
  const mayBeSent = state === 'APPROVED' && isCurrent && isApprovedState(versionState);
  return mayBeSent && !agreesWith(status, healthOf(submission), at);
}

/** A failed item does not hold up the others. */
async function oneByOne(poll: Poll, submissionId: string, work: () => Promise<boolean>) {
  try {
    if (await work()) poll.changed++;
  } catch (error) {
    poll.deps.log.error({ submissionId, err: error }, 'approver status not stored, skipping');
  }
}

async function applyItem(
  { deps, options: { source }, startedAt: at }: Poll,
  { id }: KnownSubmission,
  item: UpstreamTemplate,
): Promise<boolean> {
  return deps.database.asSystem(async em => {
    const submission = await submissionById(em, id);
    if (submission === undefined) return false;
    const { status: word, reason, upstreamId } = item;
    const saying = { kind: 'STATUS', word, reason, upstreamId, at, healthUntil: null } as const;
    const effect = await applyWord({ em, deps }, submission, saying);
    if (effect.why === 'UNKNOWN_WORD')
      deps.log.error({ submissionId: id, word }, 'unknown approver status ignored');
    if (effect.state !== 'PROCESSED') return false;
    await keepEvent({ em, deps }, { submission, item, source, at, effect });
    return true;
  });
}

async function endPoll(poll: Poll): Promise<undefined> {
  const { deps, approver, options, startedAt } = poll;
  const { channel } = approver;
  const listing = { channel, workspaceId: options.workspaceId ?? null, startedAt };
  const gone = await deps.database.asSystem(em => noteMissing(em, listing));
  for (const id of gone) await oneByOne(poll, id, () => disableOne(poll, id));
}

async function disableOne(
  { deps, options: { source }, startedAt: at }: Poll,
  id: string,
): Promise<boolean> {
  return deps.database.asSystem(async em => {
    const gone = await disableMissing({ em, deps }, id, at);
    if (gone?.effect.state !== 'PROCESSED') return false;
    const { upstreamName: name, upstreamId } = gone.submission;
    const item = {
      name: name ?? '',
      upstreamId: upstreamId ?? '',
      status: 'MISSING',
      reason: null,
    };
    await keepEvent({ em, deps }, { ...gone, item, source, at });
    return true;
  });
}
