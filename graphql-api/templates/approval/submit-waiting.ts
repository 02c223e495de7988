// Submissions on their way to the approvers. What is about to be sent is written down first; what may
// have arrived is looked for by its name before it is sent once more.

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
  /** Only what is of this workspace. */
  readonly workspaceId?: string;
  readonly attemptsMax?: number;
};

type Claim = { readonly id: string; readonly channel: TemplateChannel; readonly isAgain: boolean };

type Sending = {
  readonly submission: KnownSubmission;
  readonly template: Submittable;
  readonly isAgain: boolean;
};

/** Longer than the three questions of an attempt may take; then doubled. */
const RETRY_SECONDS = 60;
const RETRY_SECONDS_MAX = 3_600;
/** Of a run: the next one begins within a minute. */
const ATTEMPTS_MAX = 500;
/** Of the approver and of no submission: the next one would be told the same. */
const CLOSED: readonly (ApprovalFault['kind'] | undefined)[] = ['BUSY', 'DENIED', 'AWAY'];

/** It has a template of the name: it is there, though not to be found yet; no word on the text. */
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

/** From now on it may have arrived; whatever comes of this attempt, the next one is later. */
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

/** What cannot be read or written of one submission holds up no other. */
async function tryOne(
  deps: SubmitDeps,
  approver: Approver,
  claim: Claim,
): Promise<ApprovalFault | undefined> {
  try {
    return await attempt(deps, approver, await prepare(deps, claim));
  } catch (error) {
    deps.log.error({ submissionId: claim.id, err: error }, 'a submission could not be sent');
    return { kind: 'UNKNOWN', code: 'internal', message: 'It could not be sent.' };
  }
}

/** The name stands before anything is sent under it. */
async function prepare({ database }: SubmitDeps, { id, isAgain }: Claim): Promise<Sending> {
  return database.asSystem(async em => {
    const submission = await submissionById(em, id);
    if (submission === undefined) throw new Error('a sending without its submission');
    const name = submission.upstreamName ?? upstreamName({ ...submission, submissionId: id });
    if (submission.upstreamName === null)
      await em.execute('UPDATE template_submissions SET upstream_name = ? WHERE id = ?', [
        name,
        id,
      ]);
    // Out of Draft it stays as it is: what is read now is what was submitted.
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
  // It refuses also what it has already: under this name it can only be ours.
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

/** It never came into being there: rejected, in the approver's own words. */
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
  log.warn({ submissionId: id, channel, kind, code }, 'an approver did not take a submission');
  await database.asSystem(em =>
    em.execute('UPDATE approval_sendings SET fault = ? WHERE submission_id = ?', [
      `${message} (${code})`,
      id,
    ]),
  );
}

/** Taken back, or archived: nothing of it stays at the approver. What was never sent needs no call. */
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
