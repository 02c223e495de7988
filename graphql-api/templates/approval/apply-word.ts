import type { UpstreamHealth } from '../transitions.ts';
import { setUpstreamHealth } from '../version.set-upstream-health.ts';
import { approverOf, decideSubmission, templateScopeOf } from './decide-submission.ts';
import {
  type ApprovalScope,
  healthOf,
  type KnownSubmission,
  submissionById,
} from './known-submission.ts';
import { agreesWith, impliesApproval, meaningOf } from './upstream-words.ts';

export type Saying = {
  /** An event says what happened, a status how it is now: only a status of something paused says that
   * it was approved before. */
  readonly kind: 'EVENT' | 'STATUS';
  readonly word: string;
  readonly reason: string | null;
  readonly upstreamId: string | null;
  readonly at: Date;
  readonly healthUntil: Date | null;
};

export type Effect = { readonly state: 'PROCESSED' | 'IGNORED'; readonly why: string };

/** The one place where an approver's words are told apart: a verdict of a submission, the health of
 * what was approved, or nothing. */
export async function applyWord(
  scope: ApprovalScope,
  known: KnownSubmission,
  saying: Saying,
): Promise<Effect> {
  // The first row that is locked, whoever comes: what is said of a submission comes one by one.
  await noteArrival(scope, known, saying);
  // What was read before the lock may be out of date.
  const submission = (await submissionById(scope.em, known.id)) ?? known;
  const effect = await effectOf(scope, submission, saying);
  await noteUpstreamId(scope, submission, saying);
  return effect;
}

async function effectOf(
  scope: ApprovalScope,
  submission: KnownSubmission,
  saying: Saying,
): Promise<Effect> {
  const meaning = meaningOf(saying.word);
  switch (meaning.kind) {
    case 'nothing':
      return { state: 'IGNORED', why: 'NO_EFFECT' };
    case 'unknown':
      return { state: 'IGNORED', why: 'UNKNOWN_WORD' };
    case 'verdict':
      return applyDecision(scope, submission, saying, meaning.verdict);
    case 'health':
      return applyHealth(scope, submission, saying, meaning.health);
  }
}

async function applyDecision(
  scope: ApprovalScope,
  submission: KnownSubmission,
  saying: Saying,
  verdict: 'APPROVED' | 'REJECTED',
): Promise<Effect> {
  const isPending = submission.state === 'PENDING';
  const mayBeRestored = ['PAUSED', 'DISABLED'].includes(submission.versionHealth);
  // The platform says APPROVED also of the end of a pause.
  if (verdict === 'APPROVED' && submission.state === 'APPROVED' && mayBeRestored)
    return changeHealth(scope, submission, saying, 'OK');
  // What it would not take any more; only a list says that it is so now.
  if (verdict === 'REJECTED' && submission.state === 'APPROVED' && saying.kind === 'STATUS')
    return changeHealth(scope, submission, saying, 'DISABLED');
  // A list says it again and again; only events are kept as verdicts that came too late.
  if (saying.kind === 'STATUS' && !isPending) return { state: 'IGNORED', why: 'DECIDED' };
  const { reason, upstreamId } = saying;
  const { ignoredBecause } = await decideSubmission(scope, submission, {
    verdict,
    reason,
    upstreamId,
  });
  if (ignoredBecause !== null) return { state: 'IGNORED', why: ignoredBecause };
  if (verdict === 'APPROVED') await applyRemembered(scope, submission);
  return { state: 'PROCESSED', why: verdict };
}

async function applyHealth(
  scope: ApprovalScope,
  submission: KnownSubmission,
  saying: Saying,
  health: UpstreamHealth,
): Promise<Effect> {
  const isPending = submission.state === 'PENDING';
  if (isPending && saying.kind === 'EVENT') {
    const isNewest = await rememberHealth(scope, submission, saying, health);
    return isNewest
      ? { state: 'PROCESSED', why: 'REMEMBERED' }
      : { state: 'IGNORED', why: 'OLDER' };
  }
  if (isPending && impliesApproval(saying.word)) {
    const { upstreamId } = saying;
    const given = { verdict: 'APPROVED', upstreamId } as const;
    const { ignoredBecause } = await decideSubmission(scope, submission, given);
    if (ignoredBecause !== null) return { state: 'IGNORED', why: ignoredBecause };
    await changeHealth(scope, submission, saying, health);
    return { state: 'PROCESSED', why: 'APPROVED' };
  }
  if (submission.state !== 'APPROVED') return { state: 'IGNORED', why: 'NOT_APPROVED' };
  return changeHealth(scope, submission, saying, health);
}

export async function changeHealth(
  scope: ApprovalScope,
  submission: KnownSubmission,
  saying: Saying,
  health: UpstreamHealth,
): Promise<Effect> {
  if (!submission.isCurrent) return { state: 'IGNORED', why: 'STALE' };
  // A list does not say until when: what an event said of the same pause stays.
  const isKnown = agreesWith(saying.word, healthOf(submission), saying.at);
  if (saying.kind === 'STATUS' && isKnown) return { state: 'IGNORED', why: 'KNOWN' };
  if (!(await rememberHealth(scope, submission, saying, health)))
    return { state: 'IGNORED', why: 'OLDER' };
  const isChanged = await setUpstreamHealth(
    templateScopeOf(scope, submission, approverOf(submission)),
    { versionId: submission.versionId, health, until: saying.healthUntil },
  );
  return isChanged
    ? { state: 'PROCESSED', why: `HEALTH_${health}` }
    : { state: 'IGNORED', why: 'KNOWN' };
}

/** A pause that was heard of before the approval. */
async function applyRemembered(scope: ApprovalScope, submission: KnownSubmission): Promise<void> {
  const [remembered] = await scope.em.execute<{ health: UpstreamHealth; until: Date | null }[]>(
    `SELECT health, health_until AS until FROM approval_sendings
     WHERE submission_id = ? AND health IS NOT NULL`,
    [submission.id],
  );
  if (remembered === undefined || remembered.health === 'OK') return;
  const { health, until } = remembered;
  await setUpstreamHealth(templateScopeOf(scope, submission, approverOf(submission)), {
    versionId: submission.versionId,
    health,
    until: until === null ? null : new Date(until),
  });
}

/** False where something newer is known already. */
async function rememberHealth(
  { em }: ApprovalScope,
  { id }: KnownSubmission,
  { at, healthUntil }: Saying,
  health: UpstreamHealth,
): Promise<boolean> {
  const updated = await em.execute<unknown[]>(
    `UPDATE approval_sendings SET health = ?, health_at = ?, health_until = ?
     WHERE submission_id = ? AND (health_at IS NULL OR health_at <= ?) RETURNING 1`,
    [
      health,
      at.toISOString(),
      health === 'PAUSED' ? (healthUntil?.toISOString() ?? null) : null,
      id,
      at.toISOString(),
    ],
  );
  return updated.length > 0;
}

/** What is spoken of has arrived, whether we heard the answer to its submission or not. */
async function noteArrival(
  { em, deps }: ApprovalScope,
  { id, workspaceId, channel }: KnownSubmission,
  { kind, word }: Saying,
): Promise<void> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  await em.execute(
    `INSERT INTO approval_sendings AS a
       (submission_id, workspace_id, channel, state, sent_at, upstream_status, seen_at)
     VALUES (?, ?, ?, 'SENT', ?, ?, ?)
     ON CONFLICT (submission_id) DO UPDATE SET
       state = CASE a.state WHEN 'WAITING' THEN 'SENT' WHEN 'SENDING' THEN 'SENT' ELSE a.state END,
       sent_at = coalesce(a.sent_at, excluded.sent_at),
       next_attempt_at = CASE WHEN a.state IN ('WAITING', 'SENDING') THEN NULL ELSE a.next_attempt_at END,
       upstream_status = coalesce(excluded.upstream_status, a.upstream_status),
       seen_at = greatest(a.seen_at, excluded.seen_at), missing_since = NULL, fault = NULL`,
    [id, workspaceId, channel, now, kind === 'STATUS' ? word : null, now],
  );
}

/** Last: whoever holds the template's lock changes submissions, so that lock comes before this row. */
async function noteUpstreamId(
  { em }: ApprovalScope,
  { id }: KnownSubmission,
  { upstreamId }: Saying,
): Promise<void> {
  if (upstreamId === null) return;
  await em.execute(
    'UPDATE template_submissions SET upstream_id = ? WHERE id = ? AND upstream_id IS NULL',
    [upstreamId, id],
  );
}
