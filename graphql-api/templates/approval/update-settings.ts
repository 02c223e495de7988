import { workspaceOf } from '../../platform/permit.ts';
import type { ActionScope } from '../../platform/run-action.ts';
import type { TemplateApprovalSettingsUpdate } from './approval.contract.ts';
import { patienceOf } from './patience.ts';

/** Applies to submissions from now on: a submission keeps its original deadline. */
export async function templateApprovalSettingsUpdate(
  { em, viewer, deps, audit }: ActionScope,
  input: TemplateApprovalSettingsUpdate,
): Promise<{ readonly id: string }> {
  const workspaceId = workspaceOf(viewer);
  const { messagingAppHours, smsBusinessDays, emailHours } = await patienceOf(em, workspaceId);
  const before = { messagingAppHours, smsBusinessDays, emailHours };
  const after = {
    messagingAppHours: input.messagingAppHours ?? messagingAppHours,
    smsBusinessDays: input.smsBusinessDays ?? smsBusinessDays,
    emailHours: input.emailHours ?? emailHours,
  };
  await em.execute(
    `INSERT INTO approval_settings
       (workspace_id, messaging_app_hours, sms_business_days, email_hours, updated_at)
     VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (workspace_id) DO UPDATE SET messaging_app_hours = excluded.messaging_app_hours,
       sms_business_days = excluded.sms_business_days, email_hours = excluded.email_hours,
       updated_at = excluded.updated_at`,
    [
      workspaceId,
      after.messagingAppHours,
      after.smsBusinessDays,
      after.emailHours,
      new Date(deps.clock.nowMs()).toISOString(),
    ],
  );
  await audit({
    action: 'template_approval.settings',
    subjectType: 'workspace',
    subjectId: workspaceId,
    before,
    after,
  });
  return { id: workspaceId };
}
