// Submissions on their way to the approvers. What is about to be sent is written down first; what may
// have arrived is looked for by its name before it is sent once more.

import { TemplateVersion } from '../../../schema/entities/template-version.ts';
import type { TemplateChannel } from '../../../schema/rules/templates/content.ts';
import type { ApprovalFault, Approver, UpstreamTemplate } from '../../approval/approver.ts';
import { type Approvers, approversOf } from '../../approval/approvers.ts';
import { upstreamName } from '../../approval/upstream-name.ts';
import type { AppDeps } from '../../context.ts';
import { contentOf } from '../template/version-content.ts';
import { applyWord } from './apply-word.ts';
import { decideSubmission } from './decide-submission.ts';
import { type KnownSubmission, submissionById } from './known-submission.ts';
import { planSendings } from './plan-sendings.ts';

export type SubmitDeps = Pick<AppDeps, 'database' | 'clock' | 'newId' | 'config' | 'log'>;

type Claim = {
  readonly submission: KnownSubmission;
  readonly isAgain: boolean;
  readonly name: string;
};

/** Longer than both questions of an attempt may take; then doubled. */
const RETRY_SECONDS = 60;
const RETRY_SECONDS_MAX = 3_600;
/** Of a run: the next one begins within a minute. */
const CLAIMS_MAX = 500;

export async function submitWaiting(
  deps: SubmitDeps,
  signal?: AbortSignal,
  approvers: Approvers = approversOf(deps),
): Promise<{ readonly attempts: number }> {
  const channels = [...approvers.keys()];
  await deps.database.asSystem(em => planSendings({ em, deps }, channels));
  let attempts = 0;
  while (attempts < CLAIMS_MAX && signal?.aborted !== true) {
    const claim = await claimNext(deps, channels);
    if (claim === undefined) break;
    attempts++;
    await attempt(deps, approvers.get(claim.submission.channel)!, claim);
  }
  return { attempts };
}

/** From now on it may have arrived. */
async function claimNext(
  { database, clock }: SubmitDeps,
  channels: readonly TemplateChannel[],
): Promise<Claim | undefined> {
  const now = new Date(clock.nowMs()).toISOString();
  return database.asSystem(async em => {
    const [row] = await em.execute<{ id: string; attempts: number }[]>(
      `UPDATE approval_sendings SET attempts = attempts + 1,
         state = CASE state WHEN 'WAITING' THEN 'SENDING' ELSE state END,
         next_attempt_at = ?::timestamptz + interval '1 second' *
           least(${RETRY_SECONDS} * power(2, least(attempts, 10)), ${RETRY_SECONDS_MAX})
       WHERE submission_id = (SELECT submission_id FROM approval_sendings
         WHERE next_attempt_at <= ? AND channel IN (SELECT jsonb_array_elements_text(?::jsonb))
         ORDER BY next_attempt_at, submission_id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING submission_id AS id, attempts`,
      [now, now, JSON.stringify(channels)],
    );
    if (row === undefined) return undefined;
    const submission = await submissionById(em, row.id);
    if (submission === undefined) throw new Error('a sending without its submission');
    const name =
      submission.upstreamName ?? upstreamName({ ...submission, submissionId: submission.id });
    await em.execute('UPDATE template_submissions SET upstream_name = ? WHERE id = ?', [
      name,
      row.id,
    ]);
    return { submission: { ...submission, upstreamName: name }, isAgain: row.attempts > 1, name };
  });
}

async function attempt(deps: SubmitDeps, approver: Approver, claim: Claim): Promise<void> {
  const { submission, isAgain, name } = claim;
  const isWanted =
    submission.state === 'PENDING' &&
    submission.isCurrent &&
    submission.versionState !== 'Archived';
  if (!isWanted) return withdraw(deps, approver, claim);
  if (isAgain) {
    const found = await approver.find(name);
    if (!found.isOk) return noteFault(deps, submission, found.fault);
    if (found.value !== undefined) return noteArrived(deps, submission, found.value);
  }
  const sent = await approver.submit(await submittable(deps, claim));
  if (sent.isOk) return noteArrived(deps, submission, sent.value);
  if (sent.fault.kind !== 'REFUSED') return noteFault(deps, submission, sent.fault);
  // It refuses also what it has already: under this name it can only be ours.
  const found = await approver.find(name);
  if (!found.isOk) return noteFault(deps, submission, found.fault);
  if (found.value !== undefined) return noteArrived(deps, submission, found.value);
  return noteRefused(deps, submission, sent.fault);
}

async function submittable({ database }: SubmitDeps, { submission, name }: Claim) {
  const { id: submissionId, versionId, language } = submission;
  // Out of Draft it stays as it is: what is read now is what was submitted.
  const version = await database.asSystem(em =>
    em.findOneOrFail(TemplateVersion, { id: versionId }),
  );
  return { ...contentOf(version), submissionId, name, language };
}

async function noteArrived(
  deps: SubmitDeps,
  submission: KnownSubmission,
  { status, reason, upstreamId }: UpstreamTemplate,
): Promise<void> {
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
): Promise<void> {
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
  { id, channel }: KnownSubmission,
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
  { submission, isAgain, name }: Claim,
): Promise<void> {
  if (isAgain || submission.upstreamId !== null) {
    const gone = await approver.withdraw(name, submission.upstreamId);
    if (!gone.isOk) return noteFault(deps, submission, gone.fault);
  }
  await deps.database.asSystem(em =>
    em.execute(
      `UPDATE approval_sendings SET state = 'WITHDRAWN', fault = NULL, next_attempt_at = NULL
       WHERE submission_id = ?`,
      [submission.id],
    ),
  );
}
