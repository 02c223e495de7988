import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely } from '../../platform/database/kysely.ts';
import { workspaceOf } from '../../platform/permit.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import { type ApprovalDeadlines, DEFAULT_DEADLINES } from '../verdict-due.ts';
import type { TemplateApprovalSettingsUpdate } from './approval.contract.ts';

/** Returns the alert deadlines of a workspace. */
export async function deadlinesOf(
  em: EntityManager,
  workspaceId: string,
): Promise<ApprovalDeadlines> {
  const stored = await kysely(em)
    .selectFrom('approval_settings')
    .select(['messagingAppHours', 'smsBusinessDays', 'emailHours'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();
  return stored ?? DEFAULT_DEADLINES;
}

/** Applies to submissions from now on: a submission keeps its original deadline. */
export async function templateApprovalSettingsUpdate(
  { em, viewer, deps, audit }: ActionScope,
  input: TemplateApprovalSettingsUpdate,
): Promise<{ readonly id: string }> {
  const workspaceId = workspaceOf(viewer);
  const before = await deadlinesOf(em, workspaceId);
  const after = {
    messagingAppHours: input.messagingAppHours ?? before.messagingAppHours,
    smsBusinessDays: input.smsBusinessDays ?? before.smsBusinessDays,
    emailHours: input.emailHours ?? before.emailHours,
  };
  const changes = { ...after, updatedAt: new Date(deps.clock.nowMs()) };
  await kysely(em)
    .insertInto('approval_settings')
    .values({ workspaceId, ...changes })
    .onConflict(conflict => conflict.column('workspaceId').doUpdateSet(changes))
    .execute();
  await audit({
    action: 'template_approval.settings',
    subjectType: 'workspace',
    subjectId: workspaceId,
    before,
    after,
  });
  return { id: workspaceId };
}
