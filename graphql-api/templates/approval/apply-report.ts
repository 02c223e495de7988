import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import type { UpstreamHealth } from '../transitions.ts';
import { setUpstreamHealth } from '../version.set-upstream-health.ts';
import { decideSubmission, templateScopeOf } from './decide-submission.ts';
import { type ApprovalScope, type Submission, submissionById } from './submission.reads.ts';
import { impliesApproval, matchesHealth, meaningOf } from './upstream-status.ts';

/** What an approver reports about a submission. */
type UpstreamReport = {
  /** An event reports a change, a status the current state. Only the status of a paused template
   * implies that it was approved before. */
  readonly kind: 'EVENT' | 'STATUS';
  /** The status as the approver sent it. */
  readonly status: string;
  readonly reason: string | null;
  readonly upstreamId: string | null;
  readonly at: Date;
  readonly healthUntil: Date | null;
};

export type ReportOutcome = { readonly state: 'PROCESSED' | 'IGNORED'; readonly why: string };

/**
 * The only function that interprets an approver's status: as a verdict on a submission, as the
 * health of an approved version, or as neither.
 */
export async function applyReport(
  scope: ApprovalScope,
  known: Submission,
  report: UpstreamReport,
): Promise<ReportOutcome> {
  // This row is always locked first, so that the reports on a submission are applied one at a time.
  await recordArrival(scope, known, report);
  // Reads the submission again: the earlier read may be out of date.
  const submission = (await submissionById(scope.em, known.id)) ?? known;
  const outcome = await applyStatus(scope, submission, report);
  await storeUpstreamId(scope, submission, report);
  return outcome;
}

async function applyStatus(
  scope: ApprovalScope,
  submission: Submission,
  report: UpstreamReport,
): Promise<ReportOutcome> {
  const meaning = meaningOf(report.status);
  switch (meaning.kind) {
    case 'nothing':
      return ignored('NO_EFFECT');
    case 'unknown':
      return ignored('UNKNOWN_WORD');
    case 'verdict':
      return applyVerdictReport(scope, submission, report, meaning.verdict);
    case 'health':
      return applyHealthReport(scope, submission, report, meaning.health);
  }
}

async function applyVerdictReport(
  scope: ApprovalScope,
  submission: Submission,
  report: UpstreamReport,
  verdict: 'APPROVED' | 'REJECTED',
): Promise<ReportOutcome> {
  const { kind, reason, upstreamId } = report;
  const mayBeRestored = ['PAUSED', 'DISABLED'].includes(submission.versionHealth);
  // The platform also sends APPROVED at the end of a pause.
  if (verdict === 'APPROVED' && submission.state === 'APPROVED' && mayBeRestored)
    return changeHealth(scope, submission, report, 'OK');
  // A rejection after the approval. Only a list reports the current state.
  if (verdict === 'REJECTED' && submission.state === 'APPROVED' && kind === 'STATUS')
    return changeHealth(scope, submission, report, 'DISABLED');
  // Lists repeat a status in every poll, so only events are stored as late verdicts.
  if (kind === 'STATUS' && submission.state !== 'PENDING') return ignored('DECIDED');
  const given = { verdict, reason, upstreamId };
  const { ignoredBecause } = await decideSubmission(scope, submission, given);
  if (ignoredBecause !== null) return ignored(ignoredBecause);
  if (verdict === 'APPROVED') await applyStoredHealth(scope, submission);
  return processed(verdict);
}

async function applyHealthReport(
  scope: ApprovalScope,
  submission: Submission,
  report: UpstreamReport,
  health: UpstreamHealth,
): Promise<ReportOutcome> {
  const { kind, status, upstreamId } = report;
  const isPending = submission.state === 'PENDING';
  if (isPending && kind === 'EVENT') {
    const isNewest = await storeHealth(scope, submission, report, health);
    return isNewest ? processed('REMEMBERED') : ignored('OLDER');
  }
  if (isPending && impliesApproval(status)) {
    const given = { verdict: 'APPROVED', upstreamId } as const;
    const { ignoredBecause } = await decideSubmission(scope, submission, given);
    if (ignoredBecause !== null) return ignored(ignoredBecause);
    await changeHealth(scope, submission, report, health);
    return processed('APPROVED');
  }
  if (submission.state !== 'APPROVED') return ignored('NOT_APPROVED');
  return changeHealth(scope, submission, report, health);
}

export async function changeHealth(
  scope: ApprovalScope,
  submission: Submission,
  report: UpstreamReport,
  health: UpstreamHealth,
): Promise<ReportOutcome> {
  if (!submission.isCurrent) return ignored('STALE');
  // A list does not report the end of a pause, so the end reported by an event is kept.
  const isKnown = matchesHealth(report.status, submission, report.at);
  if (report.kind === 'STATUS' && isKnown) return ignored('KNOWN');
  if (!(await storeHealth(scope, submission, report, health))) return ignored('OLDER');
  const { versionId } = submission;
  const given = { versionId, health, until: report.healthUntil };
  const isChanged = await setUpstreamHealth(templateScopeOf(scope, submission), given);
  return isChanged ? processed(`HEALTH_${health}`) : ignored('KNOWN');
}

/** Applies a pause that was reported before the approval. */
async function applyStoredHealth(scope: ApprovalScope, submission: Submission): Promise<void> {
  const stored = await kysely(scope.em)
    .selectFrom('approval_sendings')
    .select(['health', 'healthUntil as until'])
    .where('submissionId', '=', submission.id)
    .executeTakeFirst();
  if (stored === undefined || stored.health === null || stored.health === 'OK') return;
  const { versionId } = submission;
  const { health, until } = stored;
  await setUpstreamHealth(templateScopeOf(scope, submission), { versionId, health, until });
}

/** Returns false if a newer report is already stored. */
async function storeHealth(
  { em }: ApprovalScope,
  { id }: Submission,
  { at, healthUntil }: UpstreamReport,
  health: UpstreamHealth,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely(em)
    .updateTable('approval_sendings')
    .set({ health, healthAt: at, healthUntil: health === 'PAUSED' ? healthUntil : null })
    .where('submissionId', '=', id)
    .where(eb => eb.or([eb('healthAt', 'is', null), eb('healthAt', '<=', at)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A report proves that the submission arrived, even if the response to it was lost. */
async function recordArrival(
  { em, deps }: ApprovalScope,
  { id, workspaceId, channel }: Submission,
  { kind, status }: UpstreamReport,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  await rowsOf(
    em,
    sql`INSERT INTO approval_sendings AS a
        (submission_id, workspace_id, channel, state, sent_at, upstream_status, seen_at)
      VALUES (${id}, ${workspaceId}, ${channel}, 'SENT', ${now},
        ${kind === 'STATUS' ? status : null}, ${now})
      ON CONFLICT (submission_id) DO UPDATE SET
        state = CASE a.state WHEN 'WAITING' THEN 'SENT' WHEN 'SENDING' THEN 'SENT' ELSE a.state END,
        sent_at = coalesce(a.sent_at, excluded.sent_at),
        next_attempt_at = CASE WHEN a.state IN ('WAITING', 'SENDING') THEN NULL ELSE a.next_attempt_at END,
        upstream_status = coalesce(excluded.upstream_status, a.upstream_status),
        seen_at = greatest(a.seen_at, excluded.seen_at), missing_since = NULL, fault = NULL`,
  );
}

/** Runs last: the template's lock must be taken before this row's lock, as in all actions. */
async function storeUpstreamId(
  { em }: ApprovalScope,
  { id }: Submission,
  { upstreamId }: UpstreamReport,
): Promise<void> {
  if (upstreamId === null) return;
  await kysely(em)
    .updateTable('template_submissions')
    .set({ upstreamId })
    .where('id', '=', id)
    .where('upstreamId', 'is', null)
    .execute();
}

function processed(why: string): ReportOutcome {
  return { state: 'PROCESSED', why };
}

function ignored(why: string): ReportOutcome {
  return { state: 'IGNORED', why };
}
