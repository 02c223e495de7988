import { createHash } from 'node:crypto';
import type { ReportOutcome } from './apply-report.ts';
import type { UpstreamTemplate } from './approver.ts';
import type { ApprovalScope, Submission } from './submission.reads.ts';

export type Found = {
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
  await em.execute(
    `INSERT INTO approval_events (id, channel, source, event_key, upstream_name, upstream_id, word,
       reason, occurred_at, body, state, why, workspace_id, submission_id, version_id, processed_at,
       created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, convert_to(?, 'UTF8'), ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel, event_key) DO NOTHING`,
    [
      deps.newId(),
      submission.channel,
      source,
      key,
      item.name,
      item.upstreamId,
      item.status,
      item.reason,
      at.toISOString(),
      body,
      effect.state,
      effect.why,
      submission.workspaceId,
      submission.id,
      submission.versionId,
      at.toISOString(),
      at.toISOString(),
    ],
  );
}
