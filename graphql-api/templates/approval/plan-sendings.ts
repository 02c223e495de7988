import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { TemplateChannel } from '../content.ts';
import type { ApprovalScope } from './submission.reads.ts';

/**
 * Finds the submissions to send and those to withdraw, optionally of one workspace only. An email
 * submission needs no sending, because reviewers see it in their queue.
 */
export async function planSendings(
  { em, deps }: ApprovalScope,
  channels: readonly TemplateChannel[],
  workspaceId: string | null,
): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  const isCovered = sql`(${workspaceId}::uuid IS NULL OR workspace_id = ${workspaceId})`;
  await rowsOf(
    em,
    sql`INSERT INTO approval_sendings
        (submission_id, workspace_id, channel, state, sent_at, next_attempt_at, created_at)
      SELECT id, workspace_id, channel,
        CASE channel WHEN 'email' THEN 'SENT' ELSE 'WAITING' END,
        CASE channel WHEN 'email' THEN ${now}::timestamptz END,
        CASE channel WHEN 'email' THEN NULL ELSE ${now}::timestamptz END, ${now}
      FROM template_submissions s
      WHERE state = 'PENDING' AND ${isCovered}
        AND NOT EXISTS (SELECT FROM approval_sendings WHERE submission_id = s.id)
      ORDER BY id
      ON CONFLICT (submission_id) DO NOTHING`,
  );
  // Starts from the ended submissions, each by its own index: most sent submissions never end.
  await rowsOf(
    em,
    sql`UPDATE approval_sendings a SET next_attempt_at = ${now}, attempts = 1
      FROM (SELECT submission_id FROM approval_sendings WHERE submission_id IN (
          SELECT id FROM template_submissions WHERE state = 'CANCELED'
          UNION ALL SELECT s.id FROM template_versions v
          JOIN template_submissions s ON s.version_id = v.id WHERE v.state = 'Archived')
        AND state = 'SENT' AND next_attempt_at IS NULL
        AND channel = ANY(${channels}) AND ${isCovered}
        ORDER BY submission_id FOR UPDATE) ended
      WHERE a.submission_id = ended.submission_id`,
  );
}
