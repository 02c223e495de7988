// Records when an approver was queried for which workspaces, and the result. Rows are locked in one
// order, so that concurrent queries cannot deadlock.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { TemplateChannel } from '../content.ts';
import type { ApprovalFault } from './approver.ts';

type Asked = {
  readonly channel: TemplateChannel;
  /** Null means all workspaces with submissions to this approver. */
  readonly workspaceId: string | null;
};

export async function noteAttempt(
  em: EntityManager,
  { channel, workspaceId }: Asked,
  at: Date,
): Promise<void> {
  await em.execute(
    `INSERT INTO approval_syncs (workspace_id, channel, last_attempt_at)
     SELECT workspace_id, ?, ? FROM (
       SELECT workspace_id FROM approval_sendings WHERE channel = ? AND ?::uuid IS NULL
       UNION SELECT ?::uuid WHERE ?::uuid IS NOT NULL) asked
     ORDER BY workspace_id
     ON CONFLICT (workspace_id, channel) DO UPDATE SET last_attempt_at = excluded.last_attempt_at`,
    [channel, at.toISOString(), channel, workspaceId, workspaceId, workspaceId],
  );
}

export async function noteOutcome(
  em: EntityManager,
  { channel, workspaceId }: Asked,
  fault: ApprovalFault | undefined,
  at: Date,
): Promise<void> {
  const text = fault === undefined ? null : `${fault.message} (${fault.code})`;
  await em.execute(
    `UPDATE approval_syncs s SET fault = ?, last_success_at = CASE WHEN ?::text IS NULL
       THEN ?::timestamptz ELSE s.last_success_at END
     FROM (SELECT workspace_id, channel FROM approval_syncs
       WHERE channel = ? AND (?::uuid IS NULL OR workspace_id = ?)
       ORDER BY workspace_id FOR UPDATE) asked
     WHERE s.workspace_id = asked.workspace_id AND s.channel = asked.channel`,
    [text, text, at.toISOString(), channel, workspaceId, workspaceId],
  );
}
