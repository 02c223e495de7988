import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { recordChange } from '../../platform/audit.ts';
import { emitEvent } from '../../webhooks/emit-event.ts';
import { applyVerdict, type Verdict, type VerdictOutcome } from '../version.apply-verdict.ts';
import type { TemplateScope } from '../version.move.ts';
import { type ApprovalScope, type Submission, submissionById } from './submission.reads.ts';

/** Applies a verdict from any source and, if it took effect, writes the outbound event. */
export async function decideSubmission(
  scope: ApprovalScope,
  submission: Submission,
  verdict: Omit<Verdict, 'submissionId'>,
  actorId?: string,
): Promise<VerdictOutcome> {
  const given = { ...verdict, submissionId: submission.id };
  const outcome = await applyVerdict(templateScopeOf(scope, submission, actorId), given);
  if (outcome.outcome === 'APPLIED') await tellVerdict(scope, submission, given);
  return outcome;
}

/** The actor of a verdict that no user gave. */
function approverOf({ channel }: Submission): string {
  return `approver:${channel}`;
}

export function templateScopeOf(
  { em, deps, requestId = deps.newId() }: ApprovalScope,
  submission: Submission,
  actorId = approverOf(submission),
): TemplateScope {
  const { organizationId, workspaceId } = submission;
  const viewer = { userId: actorId, organizationId, workspaceId, roles: new Set<never>() };
  return {
    em,
    deps,
    actorId,
    audit: change => recordChange({ em, viewer, deps, requestId }, change),
  };
}

async function tellVerdict(
  { em, deps }: ApprovalScope,
  known: Submission,
  { verdict, reason }: Verdict,
): Promise<void> {
  // Reads the submission again: the earlier read may lack the upstream name or ID.
  const submission = (await submissionById(em, known.id)) ?? known;
  await tellWorkspace(
    { em, deps },
    {
      id: derivedUuid('template verdict', submission.id),
      workspaceId: submission.workspaceId,
      type: verdict === 'APPROVED' ? 'template.approved' : 'template.rejected',
      facts: {
        ...factsOf(submission),
        version_state: submission.versionState,
        reason: reason ?? null,
      },
    },
  );
}

export function factsOf(submission: Submission): Readonly<Record<string, unknown>> {
  return {
    template_id: submission.templateId,
    version_id: submission.versionId,
    submission_id: submission.id,
    channel: submission.channel,
    language: submission.language,
    number: submission.number,
    upstream_id: submission.upstreamId,
    upstream_name: submission.upstreamName,
  };
}

type Told = {
  /** Derived from the fact, so that writing it twice yields one row. */
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

export async function tellWorkspace(
  { em, deps }: ApprovalScope,
  { id, workspaceId, type, facts }: Told,
): Promise<void> {
  const occurredAt = new Date(deps.clock.nowMs());
  await emitEvent(em, { id, workspaceId, type, facts, occurredAt });
}
