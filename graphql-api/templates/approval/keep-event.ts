import { createHash } from 'node:crypto';
import { kysely } from '../../platform/database/kysely.ts';
import type { ReportOutcome } from './apply-report.ts';
import type { UpstreamTemplate } from './approver.ts';
import type { ApprovalScope, Submission } from './submission.reads.ts';

type Found = {
  readonly submission: Submission;
  readonly item: UpstreamTemplate;
  readonly source: 'POLL' | 'SYNC';
  readonly at: Date;
  readonly effect: ReportOutcome;
};

/** Stores a status from a list that had an effect, like an event from a webhook. */
export async function keepEvent(
  { em, deps }: ApprovalScope,
  { submission, item, source, at, effect }: Found,
): Promise<void> {
  const body = JSON.stringify(item);
  const key = createHash('sha256').update(`${source} ${at.toISOString()} ${body}`).digest('hex');
  await kysely(em)
    .insertInto('approval_events')
    .values({
      id: deps.newId(),
      channel: submission.channel,
      source,
      eventKey: key,
      upstreamName: item.name,
      upstreamId: item.upstreamId,
      word: item.status,
      reason: item.reason,
      occurredAt: at,
      body: Buffer.from(body),
      state: effect.state,
      why: effect.why,
      workspaceId: submission.workspaceId,
      submissionId: submission.id,
      versionId: submission.versionId,
      processedAt: at,
      createdAt: at,
    })
    .onConflict(conflict => conflict.columns(['channel', 'eventKey']).doNothing())
    .execute();
}
