import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../platform/context.ts';
import { readAcrossTenants } from '../../platform/database/across-tenants.ts';
import {
  type Page,
  type PageRequest,
  readPage,
  requirePageSize,
} from '../../platform/database/page.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { TEMPLATE_CHANNELS, type TemplateChannel } from '../content.ts';
import type { VerdictPatience } from '../verdict-due.ts';
import { TemplateAlert } from './alert.entity.ts';
import { ApprovalEvent } from './approval-event.entity.ts';
import { ApprovalSending } from './approval-sending.entity.ts';
import { ApprovalSync } from './approval-sync.entity.ts';
import { approversOf } from './approvers.ts';
import { patienceOf } from './patience.ts';

export async function templateAlertsPage(
  context: Context,
  page: PageRequest,
  isCleared?: boolean | null,
): Promise<Page<TemplateAlert>> {
  const where = {
    workspaceId: workspaceOf(context.viewer),
    ...(isCleared != null && { clearedAt: isCleared ? { $ne: null } : null }),
  } as FilterQuery<TemplateAlert>;
  return readPage(await context.read(), TemplateAlert, where, page);
}

export async function approvalEventsPage(
  context: Context,
  page: PageRequest,
  versionId?: string,
): Promise<Page<ApprovalEvent>> {
  const workspaceId = workspaceOf(context.viewer);
  const where = { workspaceId, ...(versionId !== undefined && { versionId }) };
  return readPage(await context.read(), ApprovalEvent, where, page);
}

export type SendingOfSubmission = { readonly id: string; readonly sending: ApprovalSending };

export async function sendingsOfSubmissions(
  context: Context,
  ids: readonly string[],
): Promise<readonly SendingOfSubmission[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const found = await em.find(ApprovalSending, { submissionId: { $in: [...ids] }, workspaceId });
  return found.map(sending => ({ id: sending.submissionId, sending }));
}

export async function approvalSettings(context: Context): Promise<VerdictPatience> {
  return patienceOf(await context.read(), workspaceOf(context.viewer));
}

export type ChannelApproval = {
  readonly channel: TemplateChannel;
  /** Always true for email, which people review. */
  readonly isConfigured: boolean;
  readonly sync: ApprovalSync | undefined;
};

export async function channelApprovals(context: Context): Promise<readonly ChannelApproval[]> {
  const em = await context.read();
  const syncs = await em.find(ApprovalSync, { workspaceId: workspaceOf(context.viewer) });
  const approvers = approversOf(context.deps);
  return TEMPLATE_CHANNELS.map(channel => ({
    channel,
    isConfigured: channel === 'email' || approvers.has(channel),
    sync: syncs.find(sync => sync.channel === channel),
  }));
}

/** An email submission that is pending review, of any tenant. */
export type TemplateReview = {
  readonly submissionId: string;
  readonly organizationName: string;
  readonly templateName: string;
  readonly versionId: string;
  readonly language: string;
  readonly number: number;
  readonly subject: string | null;
  readonly body: string;
  readonly submittedAt: string;
  readonly dueAt: string;
};

/** Returns the oldest submissions first. */
export async function templateReviews(
  context: Context,
  first: number,
): Promise<readonly TemplateReview[]> {
  requirePageSize(first);
  return readAcrossTenants(context, em =>
    em.execute<TemplateReview[]>(
      `SELECT s.id AS "submissionId", o.name AS "organizationName", t.name AS "templateName",
         v.id AS "versionId", v.language, v.number, v.header ->> 'text' AS subject, v.body,
         s.submitted_at AS "submittedAt", s.sla_due_at AS "dueAt"
       FROM template_submissions s
       JOIN template_versions v ON v.id = s.version_id
       JOIN templates t ON t.id = s.template_id
       JOIN workspaces w ON w.id = s.workspace_id
       JOIN organizations o ON o.id = w.organization_id
       WHERE s.state = 'PENDING' AND s.channel = 'email'
       ORDER BY s.submitted_at, s.id LIMIT ?`,
      [first],
    ),
  );
}
