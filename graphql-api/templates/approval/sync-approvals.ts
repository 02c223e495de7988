import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../../platform/audit.ts';
import type { Context } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { permitted, workspaceOf } from '../../platform/permit.ts';
import { reject } from '../../platform/rejected.ts';
import type { TemplateChannel } from '../content.ts';
import { approversOf } from './approvers.ts';
import { type PollResult, pollApprovals } from './poll-approvals.ts';
import { submitWaiting } from './submit-waiting.ts';

/** Bounds how often a user can trigger a full listing. */
const INTERVAL_SECONDS = 10;
/** Bounds the time that a user waits for the response. The job sends the rest. */
const ATTEMPTS_MAX = 20;

/** Sends waiting submissions and polls the approvers for the viewer's workspace. Runs several
 * transactions with calls between them; repeating it is harmless. */
export async function templateApprovalSync(context: Context): Promise<PollResult> {
  const viewer = permitted(context.viewer, 'member');
  const workspaceId = workspaceOf(viewer);
  await context.endRead();
  const { deps, requestId } = context;
  const channels = [...approversOf(deps).keys()];
  await deps.database.asSystem(async em => {
    await takeTurn(em, workspaceId, deps.clock.nowMs(), channels);
    await recordChange(
      { em, viewer, deps, requestId },
      {
        action: 'template_approval.sync',
        subjectType: 'workspace',
        subjectId: workspaceId,
        after: { channels },
      },
    );
  });
  await submitWaiting(deps, { workspaceId, attemptsMax: ATTEMPTS_MAX });
  return pollApprovals(deps, { source: 'SYNC', workspaceId });
}

/** Of several concurrent requests, only one proceeds. */
async function takeTurn(
  em: EntityManager,
  workspaceId: string,
  nowMs: number,
  channels: readonly TemplateChannel[],
): Promise<void> {
  const now = new Date(nowMs);
  const before = new Date(nowMs - INTERVAL_SECONDS * 1_000);
  const taken = await rowsOf(
    em,
    sql`INSERT INTO approval_syncs AS s (workspace_id, channel, last_attempt_at)
      SELECT ${workspaceId}::uuid, channel, ${now}::timestamptz FROM unnest(${channels}::text[]) AS channel
      ORDER BY channel
      ON CONFLICT (workspace_id, channel) DO UPDATE SET last_attempt_at = excluded.last_attempt_at
      WHERE s.last_attempt_at <= ${before} RETURNING 1`,
  );
  if (taken.length < channels.length)
    reject('TEMPLATE_SYNC_TOO_SOON', { facts: { retryAfterSeconds: INTERVAL_SECONDS } });
}
