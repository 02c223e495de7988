import type { Context } from '../../platform/context.ts';
import { readAcrossTenants } from '../../platform/database/across-tenants.ts';
import { workspaceReads } from '../../platform/database/entity-reads.ts';
import { kysely, sql } from '../../platform/database/kysely.ts';
import {
  type Page,
  type PageRequest,
  readPage,
  requirePageSize,
} from '../../platform/database/page.ts';
import { workspaceOf } from '../../platform/permit.ts';
import { TEMPLATE_CHANNELS } from '../content.ts';
import type { ApprovalDeadlines } from '../verdict-due.ts';
import { TemplateAlert } from './alert.entity.ts';
import { ApprovalEvent } from './approval-event.entity.ts';
import { ApprovalSending } from './approval-sending.entity.ts';
import { deadlinesOf } from './approval-settings.ts';
import { ApprovalSync } from './approval-sync.entity.ts';
import { approversOf } from './approvers.ts';

const alerts = workspaceReads(TemplateAlert);

export function templateAlertsPage(
  context: Context,
  page: PageRequest,
  isCleared?: boolean | null,
): Promise<Page<TemplateAlert>> {
  return alerts.page(context, page, {
    ...(isCleared != null && { clearedAt: isCleared ? { $ne: null } : null }),
  });
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

export async function sendingsOfSubmissions(context: Context, ids: readonly string[]) {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const found = await em.find(ApprovalSending, { submissionId: { $in: [...ids] }, workspaceId });
  return found.map(sending => ({ id: sending.submissionId, sending }));
}

export async function approvalSettings(context: Context): Promise<ApprovalDeadlines> {
  return deadlinesOf(await context.read(), workspaceOf(context.viewer));
}

export type ChannelApproval = Awaited<ReturnType<typeof channelApprovals>>[number];

export async function channelApprovals(context: Context) {
  const em = await context.read();
  const syncs = await em.find(ApprovalSync, { workspaceId: workspaceOf(context.viewer) });
  const approvers = approversOf(context.deps);
  return TEMPLATE_CHANNELS.map(channel => {
    const sync = syncs.find(each => each.channel === channel);
    return {
      channel,
      // People review emails.
      isConfigured: channel === 'email' || approvers.has(channel),
      lastSyncAttemptAt: sync?.lastAttemptAt,
      lastSyncAt: sync?.lastSuccessAt,
      fault: sync?.fault,
    };
  });
}

/** An email submission that is pending review, of any tenant. */
export type TemplateReview = Awaited<ReturnType<typeof templateReviews>>[number];

/** Returns the oldest submissions first. */
export async function templateReviews(context: Context, first: number) {
  requirePageSize(first);
  return readAcrossTenants(context, em =>
    kysely(em)
      .selectFrom('template_submissions as s')
      .innerJoin('template_versions as v', 'v.id', 's.versionId')
      .innerJoin('templates as t', 't.id', 's.templateId')
      .innerJoin('workspaces as w', 'w.id', 's.workspaceId')
      .innerJoin('organizations as o', 'o.id', 'w.organizationId')
      .select(['s.id as submissionId', 'o.name as organizationName', 't.name as templateName'])
      .select(['v.language', 'v.number', 'v.body', 's.submittedAt', 's.slaDueAt as dueAt'])
      .select(sql<string | null>`v.header ->> 'text'`.as('subject'))
      .where('s.state', '=', 'PENDING')
      .where('s.channel', '=', 'email')
      .orderBy('s.submittedAt')
      .orderBy('s.id')
      .limit(first)
      .execute(),
  );
}
