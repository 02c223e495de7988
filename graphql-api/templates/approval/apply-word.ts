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
  /** An event reports a change, a status the current state. Only the status of a paused template
   * implies that it was approved before. */
  readonly kind: 'EVENT' | 'STATUS';
  readonly word: string;
  readonly reason: string | null;
  readonly upstreamId: string | null;
  readonly at: Date;
  readonly healthUntil: Date | null;
};

export type Effect = { readonly state: 'PROCESSED' | 'IGNORED'; readonly why: string };

/**
 * The only function that interprets an approver's status: as a verdict on a submission, as the
 * health of an approved version, or as neither.
 */
export async function applyWord(
  scope: ApprovalScope,
  known: KnownSubmission,
  saying: Saying,
): Promise<Effect> {
  // This row is always locked first, so that the reports on a submission are applied one at a time.
  await noteArrival(scope, known, saying);
  // Reads the submission again: the earlier read may be out of date.
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
  // The platform also sends APPROVED at the end of a pause.
  if (verdict === 'APPROVED' && submission.state === 'APPROVED' && mayBeRestored)
    return changeHealth(scope, submission, saying, 'OK');
  // A rejection after the approval. Only a list reports the current state.
  if (verdict === 'REJECTED' && submission.state === 'APPROVED' && saying.kind === 'STATUS')
    return changeHealth(scope, submission, saying, 'DISABLED');
  // Lists repeat a status in every poll, so only events are stored as late verdicts.
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
  // A list does not report the end of a pause, so the end reported by an event is kept.
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

/** Applies a pause that was reported before the approval. */
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

/** Returns false if a newer report is already stored. */
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

/** A report proves that the submission arrived, even if the response to it was lost. */
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

/** Runs last: the template's lock must be taken before this row's lock, as in all actions. */
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
