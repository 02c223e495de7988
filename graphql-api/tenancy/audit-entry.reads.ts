import type { FilterQuery } from '@mikro-orm/postgresql';
import { AuditEntry } from '../platform/audit-entry.entity.ts';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';

/** Omitted filters match everything. */
export type AuditFilter = {
  readonly subjectType?: string | null | undefined;
  readonly subjectId?: string | undefined;
  readonly actorId?: string | null | undefined;
  readonly action?: string | null | undefined;
  /** Inclusive. */
  readonly since?: Date | null | undefined;
  /** Exclusive. */
  readonly until?: Date | null | undefined;
};

/** The audit log of the viewer's workspace. */
export async function workspaceAuditPage(
  context: Context,
  page: PageRequest,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const workspaceId = workspaceOf(context.viewer);
  const organizationId = context.viewer?.organizationId ?? reject('UNAUTHENTICATED');
  const where = { $and: [{ organizationId, workspaceId }, ...conditionsOf(filter)] };
  return readPage(await context.read(), AuditEntry, where, page);
}

/** The audit log of the viewer's organization. If the request names a workspace, entries of other
 * workspaces are left out. */
export async function organizationAuditPage(
  context: Context,
  page: PageRequest,
  filter: AuditFilter,
): Promise<Page<AuditEntry>> {
  const { organizationId, workspaceId } = context.viewer ?? reject('UNAUTHENTICATED');
  const visible: FilterQuery<AuditEntry> =
    workspaceId === undefined
      ? { organizationId }
      : { organizationId, $or: [{ workspaceId: null }, { workspaceId }] };
  const where = { $and: [visible, ...conditionsOf(filter)] };
  return readPage(await context.read(), AuditEntry, where, page);
}

/** The audit log of all organizations, for platform admins. */
export async function platformAuditPage(
  context: Context,
  page: PageRequest,
  filter: AuditFilter & { readonly organizationId?: string | undefined },
): Promise<Page<AuditEntry>> {
  const conditions = conditionsOf(filter);
  const where = conditions.length === 0 ? {} : { $and: conditions };
  return readAcrossTenants(context, em => readPage(em, AuditEntry, where, page));
}

function conditionsOf({ since, until, ...equal }: AuditFilter): FilterQuery<AuditEntry>[] {
  const conditions: FilterQuery<AuditEntry>[] = Object.entries(equal)
    .filter(([, value]) => value != null)
    .map(([name, value]) => ({ [name]: value }));
  if (since != null) conditions.push({ createdAt: { $gte: since } });
  if (until != null) conditions.push({ createdAt: { $lt: until } });
  return conditions;
}
