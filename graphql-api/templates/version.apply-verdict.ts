import { TemplateSubmission } from './approval/submission.entity.ts';
import { TemplateVerdict } from './verdict.entity.ts';
import { findActive, makeActive } from './version.activate.ts';
import type { TemplateVersion } from './version.entity.ts';
import { findLocked, type LockedVersion } from './version.lock.ts';
import { moveVersion, type TemplateScope } from './version.move.ts';

export type Verdict = {
  readonly submissionId: string;
  readonly verdict: 'APPROVED' | 'REJECTED';
  /** The reason that the approver gave. */
  readonly reason?: string | null;
  readonly upstreamId?: string | null;
};

export type VerdictOutcome = {
  readonly outcome: 'APPLIED' | 'IGNORED';
  readonly ignoredBecause: 'UNKNOWN' | 'DECIDED' | 'CANCELED' | 'STALE' | null;
};

/**
 * The only function that applies a verdict. Each verdict is stored, but only the first one for the
 * version's latest submission has an effect. Late, repeated and stale verdicts change nothing.
 */
export async function applyVerdict(scope: TemplateScope, given: Verdict): Promise<VerdictOutcome> {
  const { em } = scope;
  const known = await em.findOne(TemplateSubmission, { id: given.submissionId });
  if (known === null) return { outcome: 'IGNORED', ignoredBecause: 'UNKNOWN' };
  const locked = await findLocked(scope, known.versionId);
  if (locked === undefined) throw new Error('a submission without its version');
  // Reads the submission again, now that the lock prevents other changes.
  const submission = await em.findOneOrFail(
    TemplateSubmission,
    { id: given.submissionId },
    { refresh: true },
  );
  const ignoredBecause = whyIgnored(submission, locked);
  await recordVerdict(scope, submission, given, ignoredBecause);
  if (ignoredBecause !== null) return { outcome: 'IGNORED', ignoredBecause };
  await decide(scope, submission, given);
  if (given.verdict === 'APPROVED') await approve(scope, locked.version);
  else await rejectVersion(scope, locked.version, given.reason || 'NONE');
  return { outcome: 'APPLIED', ignoredBecause: null };
}

function whyIgnored(
  { id, state }: TemplateSubmission,
  { version }: LockedVersion,
): VerdictOutcome['ignoredBecause'] {
  if (state === 'CANCELED') return 'CANCELED';
  if (state !== 'PENDING') return 'DECIDED';
  return version.submissionId === id && version.state === 'Submitted' ? null : 'STALE';
}

async function recordVerdict(
  { em, deps }: TemplateScope,
  { id: submissionId, workspaceId }: TemplateSubmission,
  { verdict, reason }: Verdict,
  ignoredBecause: VerdictOutcome['ignoredBecause'],
): Promise<void> {
  await em.insert(TemplateVerdict, {
    id: deps.newId(),
    workspaceId,
    submissionId,
    verdict,
    reason: reason ?? null,
    outcome: ignoredBecause === null ? 'APPLIED' : 'IGNORED',
    ignoredBecause,
    receivedAt: new Date(deps.clock.nowMs()),
  });
}

async function decide(
  { em, deps }: TemplateScope,
  submission: TemplateSubmission,
  { verdict, reason, upstreamId }: Verdict,
): Promise<void> {
  submission.state = verdict;
  submission.reason = reason ?? null;
  submission.decidedAt = new Date(deps.clock.nowMs());
  if (upstreamId != null) submission.upstreamId = upstreamId;
  await em.flush();
}

/** The version becomes Active, unless an operator pinned another version as Active. */
async function approve(scope: TemplateScope, version: TemplateVersion): Promise<void> {
  version.approvedAt = new Date(scope.deps.clock.nowMs());
  version.rejectionReason = null;
  const { submissionId } = version;
  await moveVersion(scope, version, 'approve', { submissionId });
  const active = await findActive(scope, version);
  if (active?.isPinned !== true) await makeActive(scope, version, { isPinned: false });
  await forceRollout(scope, version);
}

/** Releases the pins of the tree's other versions if the approved version has `forceRollout`. */
async function forceRollout(
  { em, deps, actorId, audit }: TemplateScope,
  version: TemplateVersion,
): Promise<void> {
  if (!version.forceRollout) return;
  const released = await deps.pinning.releasePins(em, {
    toVersionId: version.id,
    journeyId: null,
    releasedBy: actorId,
    cause: 'FORCE_ROLLOUT',
    at: new Date(deps.clock.nowMs()),
  });
  await audit({
    action: 'template.rollout_force',
    subjectType: 'template_version',
    subjectId: version.id,
    after: { scope: 'ALL', journeyId: null, released },
  });
}

/** Does not affect the Active version. */
async function rejectVersion(
  scope: TemplateScope,
  version: TemplateVersion,
  reason: string,
): Promise<void> {
  version.rejectionReason = reason;
  const { submissionId } = version;
  await moveVersion(scope, version, 'reject', { submissionId, reason });
}
