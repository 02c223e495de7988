// Sends submissions to the approvers. A submission is marked before it is sent. If it may have
// arrived, it is looked up by its name before it is sent again.

import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { TemplateChannel } from '../content.ts';
import { TemplateVersion } from '../version.entity.ts';
import { contentOf } from '../version-content.ts';
import { applyReport } from './apply-report.ts';
import { ApprovalSending } from './approval-sending.entity.ts';
import type { ApprovalFault, Approver, Submittable, UpstreamTemplate } from './approver.ts';
import { type Approvers, approversOf } from './approvers.ts';
import { decideSubmission } from './decide-submission.ts';
import type { PollDeps } from './poll-approvals.ts';
import { TemplateSubmission } from './submission.entity.ts';
import { type ApprovalScope, type Submission, submissionById } from './submission.reads.ts';
import { upstreamName } from './upstream-name.ts';

type SubmitOptions = {
  readonly signal?: AbortSignal;
  readonly approvers?: Approvers;
  /** Limits the run to this workspace. */
  readonly workspaceId?: string;
  readonly attemptsMax?: number;
};

/** A row of `approval_sendings` that this run has claimed. */
type ClaimedSending = {
  readonly id: string;
  readonly channel: TemplateChannel;
  readonly isAgain: boolean;
};

type PreparedSending = {
  readonly submission: Submission;
  readonly template: Submittable;
  readonly isAgain: boolean;
};

/** Longer than the three calls of an attempt can take. Doubles with each attempt. */
const RETRY_SECONDS = 60;
const RETRY_SECONDS_MAX = 3_600;
/** The limit per run. The next run starts within a minute. */
const ATTEMPTS_MAX = 500;
/** Faults of the approver, not of a submission: the next submission would fail in the same way. */
const CLOSED: readonly (ApprovalFault['kind'] | undefined)[] = ['BUSY', 'DENIED', 'AWAY'];

/**
 * The name is taken: the submission arrived but cannot be found yet. Not a verdict on its content.
 */
const TAKEN: ReadonlySet<string> = new Set(['2388024', 'ALREADY_REGISTERED']);

export async function submitWaiting(
  deps: PollDeps,
  { signal, workspaceId, approvers = approversOf(deps), ...options }: SubmitOptions = {},
): Promise<{ readonly attempts: number }> {
  const { attemptsMax = ATTEMPTS_MAX } = options;
  const channels = new Set(approvers.keys());
  const ofWorkspace = workspaceId ?? null;
  await deps.database.asSystem(em => planSendings({ em, deps }, [...channels], ofWorkspace));
  let attempts = 0;
  while (attempts < attemptsMax && signal?.aborted !== true) {
    const claim = await claimNext(deps, [...channels], ofWorkspace);
    if (claim === undefined) break;
    attempts++;
    const fault = await tryOne(deps, approvers.get(claim.channel)!, claim);
    if (fault !== undefined) await recordFault(deps, claim, fault);
    if (CLOSED.includes(fault?.kind)) channels.delete(claim.channel);
  }
  return { attempts };
}

/**
 * Finds the submissions to send and those to withdraw, optionally of one workspace only. An email
 * submission needs no sending, because reviewers see it in their queue.
 */
async function planSendings(
  { em, deps }: ApprovalScope,
  channels: readonly TemplateChannel[],
  workspaceId: string | null,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const isCovered = sql`(${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId})`;
  await rowsOf(
    em,
    sql`INSERT INTO approval_sendings
        (submission_id, workspace_id, channel, state, sent_at, next_attempt_at, created_at)
      SELECT id, workspace_id, channel,
        CASE channel WHEN 'email' THEN 'SENT' ELSE 'WAITING' END,
        CASE channel WHEN 'email' THEN ${now}::timestamptz END,
        CASE channel WHEN 'email' THEN NULL ELSE ${now}::timestamptz END, ${now}
      FROM template_submissions s
      WHERE state = 'PENDING' AND ${isCovered}
        AND NOT EXISTS (SELECT FROM approval_sendings WHERE submission_id = s.id)
      ORDER BY id
      ON CONFLICT (submission_id) DO NOTHING`,
  );
  // Starts from the ended submissions, each by its own index: most sent submissions never end.
  await rowsOf(
    em,
    sql`UPDATE approval_sendings a SET next_attempt_at = ${now}, attempts = 1
      FROM (SELECT submission_id FROM approval_sendings WHERE submission_id IN (
          SELECT id FROM template_submissions WHERE state = 'CANCELED'
          UNION ALL SELECT s.id FROM template_versions v
          JOIN template_submissions s ON s.version_id = v.id WHERE v.state = 'Archived')
        AND state = 'SENT' AND next_attempt_at IS NULL
        AND channel = ANY(${channels}) AND ${isCovered}
        ORDER BY submission_id FOR UPDATE) ended
      WHERE a.submission_id = ended.submission_id`,
  );
}

/** Marks a submission before it is sent, and schedules the next attempt in case this one fails. */
async function claimNext(
  { database, clock }: PollDeps,
  channels: readonly TemplateChannel[],
  workspaceId: string | null,
): Promise<ClaimedSending | undefined> {
  const now = new Date(clock.nowMs());
  const [claimed] = await database.asSystem(em =>
    rowsOf(
      em,
      sql<ClaimedSending>`UPDATE approval_sendings SET attempts = attempts + 1,
          state = CASE state WHEN 'WAITING' THEN 'SENDING' ELSE state END,
          next_attempt_at = ${now}::timestamptz + interval '1 second' *
            least(${RETRY_SECONDS} * power(2, least(attempts, 10)), ${RETRY_SECONDS_MAX})
        WHERE submission_id = (SELECT submission_id FROM approval_sendings
          WHERE next_attempt_at <= ${now} AND channel = ANY(${channels})
            AND (${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId})
          ORDER BY next_attempt_at, submission_id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING submission_id AS id, channel, attempts > 1 AS is_again`,
    ),
  );
  return claimed;
}

/** A submission that cannot be read or written does not hold up the others. */
async function tryOne(
  deps: PollDeps,
  approver: Approver,
  claim: ClaimedSending,
): Promise<ApprovalFault | undefined> {
  try {
    return await attempt(deps, approver, await prepare(deps, claim));
  } catch (error) {
    deps.log.error({ submissionId: claim.id, err: error }, 'could not send a submission, retrying');
    return { kind: 'UNKNOWN', code: 'internal', message: 'The submission could not be sent.' };
  }
}

/** Stores the name before the submission is sent under it. */
async function prepare(
  { database }: PollDeps,
  { id, isAgain }: ClaimedSending,
): Promise<PreparedSending> {
  return database.asSystem(async em => {
    const submission = await submissionById(em, id);
    if (submission === undefined) throw new Error('the submission to send does not exist');
    const name = submission.upstreamName ?? upstreamName({ ...submission, submissionId: id });
    if (submission.upstreamName === null)
      await em.nativeUpdate(TemplateSubmission, { id }, { upstreamName: name });
    // A version never changes after Draft, so this is the submitted content.
    const version = await em.findOneOrFail(TemplateVersion, { id: submission.versionId });
    const { language } = submission;
    const template = { ...contentOf(version), submissionId: id, name, language };
    return { submission: { ...submission, upstreamName: name }, template, isAgain };
  });
}

async function attempt(
  deps: PollDeps,
  approver: Approver,
  sending: PreparedSending,
): Promise<ApprovalFault | undefined> {
  const { submission, template, isAgain } = sending;
  const isWanted =
    submission.state === 'PENDING' &&
    submission.isCurrent &&
    submission.versionState !== 'Archived';
  if (!isWanted) return withdraw(deps, approver, sending);
  if (isAgain) {
    const found = await approver.find(template.name);
    if (!found.isOk) return found.fault;
    if (found.value !== undefined) return recordArrival(deps, submission, found.value);
  }
  const sent = await approver.submit(template);
  if (sent.isOk) return recordArrival(deps, submission, sent.value);
  if (sent.fault.kind !== 'REFUSED') return sent.fault;
  // The approver also refuses a name that already exists. This name can only be ours.
  const found = await approver.find(template.name);
  if (!found.isOk) return found.fault;
  if (found.value !== undefined) return recordArrival(deps, submission, found.value);
  if (TAKEN.has(sent.fault.code)) return { ...sent.fault, kind: 'UNKNOWN' };
  return recordRefusal(deps, submission, sent.fault);
}

async function recordArrival(
  deps: PollDeps,
  submission: Submission,
  { status, reason, upstreamId }: UpstreamTemplate,
): Promise<undefined> {
  const at = new Date(deps.clock.nowMs());
  const report = { kind: 'STATUS', status, reason, upstreamId, at, healthUntil: null } as const;
  await deps.database.asSystem(em => applyReport({ em, deps }, submission, report));
}

/** The approver did not create it, so the version is rejected with the approver's reason. */
async function recordRefusal(
  deps: PollDeps,
  submission: Submission,
  { code, message }: ApprovalFault,
): Promise<undefined> {
  const reason = `${message} (${code})`;
  await deps.database.asSystem(async em => {
    await updateSending(em, submission.id, {
      state: 'REFUSED',
      fault: reason,
      nextAttemptAt: null,
    });
    await decideSubmission({ em, deps }, submission, { verdict: 'REJECTED', reason });
  });
}

async function recordFault(
  { database, log }: PollDeps,
  { id, channel }: ClaimedSending,
  { kind, code, message }: ApprovalFault,
): Promise<void> {
  log.warn({ submissionId: id, channel, kind, code }, 'submission not accepted, retrying');
  await database.asSystem(em => updateSending(em, id, { fault: `${message} (${code})` }));
}

/** Deletes a canceled or archived submission at the approver, if it was ever sent. */
async function withdraw(
  deps: PollDeps,
  approver: Approver,
  { submission: { id, upstreamId }, template: { name }, isAgain }: PreparedSending,
): Promise<ApprovalFault | undefined> {
  if (isAgain || upstreamId !== null) {
    const gone = await approver.withdraw(name, upstreamId);
    if (!gone.isOk) return gone.fault;
  }
  const withdrawn = { state: 'WITHDRAWN', fault: null, nextAttemptAt: null } as const;
  await deps.database.asSystem(em => updateSending(em, id, withdrawn));
  return undefined;
}

async function updateSending(
  em: EntityManager,
  submissionId: string,
  changes: Partial<ApprovalSending>,
): Promise<void> {
  await em.nativeUpdate(ApprovalSending, { submissionId }, changes);
}
