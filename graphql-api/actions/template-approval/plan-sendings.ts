import type { TemplateChannel } from '../../../schema/rules/templates/content.ts';
import type { ApprovalScope } from './known-submission.ts';

/**
 * Finds what is to be sent, and what is to be taken back. Email has arrived as soon as it is
 * submitted: people see it in their queue.
 */
export async function planSendings(
  { em, deps }: ApprovalScope,
  channels: readonly TemplateChannel[],
): Promise<void> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  await em.execute(
    `INSERT INTO approval_sendings
       (submission_id, workspace_id, channel, state, sent_at, next_attempt_at, created_at)
     SELECT id, workspace_id, channel,
       CASE channel WHEN 'email' THEN 'SENT' ELSE 'WAITING' END,
       CASE channel WHEN 'email' THEN ?::timestamptz END,
       CASE channel WHEN 'email' THEN NULL ELSE ?::timestamptz END, ?
     FROM template_submissions s
     WHERE state = 'PENDING'
       AND NOT EXISTS (SELECT FROM approval_sendings WHERE submission_id = s.id)
     ON CONFLICT (submission_id) DO NOTHING`,
    [now, now, now],
  );
  await em.execute(
    `UPDATE approval_sendings a SET next_attempt_at = ?, attempts = 1
     FROM template_submissions s JOIN template_versions v ON v.id = s.version_id
     WHERE s.id = a.submission_id AND a.state = 'SENT' AND a.next_attempt_at IS NULL
       AND a.channel IN (SELECT jsonb_array_elements_text(?::jsonb))
       AND (s.state = 'CANCELED' OR v.state = 'Archived')`,
    [now, JSON.stringify(channels)],
  );
}
