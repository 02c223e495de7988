// Sends submissions to the approvers. A submission is marked before it is sent. If it may have
// arrived, it is looked up by its name before it is sent again.

import type { AppDeps } from '../../platform/context.ts';
import type { TemplateChannel } from '../content.ts';
import { TemplateVersion } from '../version.entity.ts';
import { contentOf } from '../version-content.ts';
import { applyWord } from './apply-word.ts';
import type { ApprovalFault, Approver, Submittable, UpstreamTemplate } from './approver.ts';
import { type Approvers, approversOf } from './approvers.ts';
import { decideSubmission } from './decide-submission.ts';
import { type KnownSubmission, submissionById } from './known-submission.ts';
import { planSendings } from './plan-sendings.ts';
import { upstreamName } from './upstream-name.ts';

export type SubmitDeps = Pick<
  AppDeps,
  'database' | 'clock' | 'newId' | 'pinning' | 'config' | 'log'
>;

export type SubmitOptions = {
  readonly signal?: AbortSignal;
  readonly approvers?: Approvers;
  /** Limits the run to this workspace. */
  readonly workspaceId?: string;
  readonly attemptsMax?: number;
};

type Claim = { readonly id: string; readonly channel: TemplateChannel; readonly isAgain: boolean };

type Sending = {
  readonly submission: KnownSubmission;
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
  deps: SubmitDeps,
  options: SubmitOptions = {},
): Promise<{ readonly attempts: number }> {
  const {
    signal,
    approvers = approversOf(deps),
    workspaceId,
    attemptsMax = ATTEMPTS_MAX,
  } = options;
  const channels = new Set(approvers.keys());
  await deps.database.asSystem(em => planSendings({ em, deps }, [...channels], workspaceId));
  let attempts = 0;
  while (attempts < attemptsMax && signal?.aborted !== true) {
    const claim = await claimNext(deps, [...channels], workspaceId ?? null);
    if (claim === undefined) break;
    attempts++;
    const fault = await tryOne(deps, approvers.get(claim.channel)!, claim);
    if (fault !== undefined) await noteFault(deps, claim, fault);
    if (CLOSED.includes(fault?.kind)) channels.delete(claim.channel);
  }
  return { attempts };
}

/** Marks a submission before it is sent, and schedules the next attempt in case this one fails. */
async function claimNext(
  { database, clock }: SubmitDeps,
  channels: readonly TemplateChannel[],
  workspaceId: string | null,
): Promise<Claim | undefined> {
  const now = new Date(clock.nowMs()).toISOString();
  const [row] = await database.asSystem(em =>
    em.execute<{ id: string; channel: TemplateChannel; attempts: number }[]>(
      `UPDATE approval_sendings SET attempts = attempts + 1,
         state = CASE state WHEN 'WAITING' THEN 'SENDING' ELSE state END,
         next_attempt_at = ?::timestamptz + interval '1 second' *
           least(${RETRY_SECONDS} * power(2, least(attempts, 10)), ${RETRY_SECONDS_MAX})
       WHERE submission_id = (SELECT submission_id FROM approval_sendings
         WHERE next_attempt_at <= ? AND channel IN (SELECT jsonb_array_elements_text(?::jsonb))
           AND (?::uuid IS NULL OR workspace_id = ?)
         ORDER BY next_attempt_at, submission_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING submission_id AS id, channel, attempts`,
      [now, now, JSON.stringify(channels), workspaceId, workspaceId],
    ),
  );
  return row && { id: row.id, channel: row.channel, isAgain: row.attempts > 1 };
}

/** A submission that cannot be read or written does not hold up the others. */
async function tryOne(
  deps: SubmitDeps,
  approver: Approver,
  claim: Claim,
): Promise<ApprovalFault | undefined> {
  try {
    return await attempt(deps, approver, await prepare(deps, claim));
  } catch (error) {
    deps.log.error({ submissionId: claim.id, err: error }, 'submission not sent, retrying');
    return { kind: 'UNKNOWN', code: 'internal', message: 'The submission could not be sent.' };
  }
}

/** Stores the name before the submission is sent under it. */
async function prepare({ database }: SubmitDeps, { id, isAgain }: Claim): Promise<Sending> {
  return database.asSystem(async em => {
    const submission = await submissionById(em, id);
    if (submission === undefined) throw new Error('the submission of a sending does not exist');
    const name = submission.upstreamName ?? upstreamName({ ...submission, submissionId: id });
    if (submission.upstreamName === null)
      await em.execute('UPDATE template_submissions SET upstream_name = ? WHERE id = ?', [
        name,
        id,
      ]);
    // A version never changes after Draft, so this is the submitted content.
    const version = await em.findOneOrFail(TemplateVersion, { id: submission.versionId });
    const { language } = submission;
    const template = { ...contentOf(version), submissionId: id, name, language };
    return { submission: { ...submission, upstreamName: name }, template, isAgain };
  });
}

async function attempt(
  deps: SubmitDeps,
  approver: Approver,
  sending: Sending,
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
    if (found.value !== undefined) return noteArrived(deps, submission, found.value);
  }
  const sent = await approver.submit(template);
  if (sent.isOk) return noteArrived(deps, submission, sent.value);
  if (sent.fault.kind !== 'REFUSED') return sent.fault;
  // The approver also refuses a name that it already has. This name can only be ours.
  const found = await approver.find(template.name);
  if (!found.isOk) return found.fault;
  if (found.value !== undefined) return noteArrived(deps, submission, found.value);
  if (TAKEN.has(sent.fault.code)) return { ...sent.fault, kind: 'UNKNOWN' };
  return noteRefused(deps, submission, sent.fault);
}

async function noteArrived(
  deps: SubmitDeps,
  submission: KnownSubmission,
  { status, reason, upstreamId }: UpstreamTemplate,
): Promise<undefined> {
  await deps.database.asSystem(async em => {
    const at = new Date(deps.clock.nowMs());
    const now = (await submissionById(em, submission.id)) ?? submission;
    const saying = { kind: 'STATUS', word: status, reason, upstreamId, at } as const;
    await applyWord({ em, deps }, now, { ...saying, healthUntil: null });
  });
}

/** The approver did not create it, so the version is rejected with the approver's reason. */
async function noteRefused(
  deps: SubmitDeps,
  submission: KnownSubmission,
  { code, message }: ApprovalFault,
): Promise<undefined> {
  const reason = `${message} (${code})`;
  await deps.database.asSystem(async em => {
    await em.execute(
      `UPDATE approval_sendings SET state = 'REFUSED', fault = ?, next_attempt_at = NULL
       WHERE submission_id = ?`,
      [reason, submission.id],
    );
    await decideSubmission({ em, deps }, submission, { verdict: 'REJECTED', reason });
  });
}

async function noteFault(
  { database, log }: SubmitDeps,
  { id, channel }: Claim,
  { kind, code, message }: ApprovalFault,
): Promise<void> {
  log.warn({ submissionId: id, channel, kind, code }, 'submission not accepted, retrying');
  await database.asSystem(em =>
    em.execute('UPDATE approval_sendings SET fault = ? WHERE submission_id = ?', [
      `${message} (${code})`,
      id,
    ]),
  );
}

/** Deletes a canceled or archived submission at the approver, if it was ever sent. */
async function withdraw(
  deps: SubmitDeps,
  approver: Approver,
  { submission, template: { name }, isAgain }: Sending,
): Promise<ApprovalFault | undefined> {
  if (isAgain || submission.upstreamId !== null) {
    const gone = await approver.withdraw(name, submission.upstreamId);
    if (!gone.isOk) return gone.fault;
  }
  await deps.database.asSystem(em =>
    em.execute(
      `UPDATE approval_sendings SET state = 'WITHDRAWN', fault = NULL, next_attempt_at = NULL
       WHERE submission_id = ?`,
      [submission.id],
    ),
  );
  return undefined;
}
