import { Organization } from '../../schema/entities/organization.ts';
import type { Context } from '../context.ts';
import { findRows } from '../database/find-rows.ts';
import { readAcrossTenants } from './across-tenants.ts';
import { literally } from './campaigns.ts';
import { INGRESS_LIMITS, type IngressLimit } from './ingress-limits.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

/** The viewer's own, if it is among the ids. */
export async function organizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  const ownId = context.viewer?.organizationId;
  if (ownId === undefined || !ids.includes(ownId)) return [];
  return findRows(await context.read(), Organization, { id: ownId });
}

/** All of them, newest first, for platform admins. */
export async function platformOrganizationsPage(
  context: Context,
  page: PageRequest,
  { search }: { readonly search?: string | null | undefined },
): Promise<Page<Organization>> {
  const where = search ? { name: { $ilike: `%${literally(search)}%` } } : {};
  return readAcrossTenants(context, em => readPage(em, Organization, where, page));
}

export async function platformOrganizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  return readAcrossTenants(context, em => em.find(Organization, { id: { $in: [...ids] } }));
}

export async function platformIngressLimitsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly IngressLimit[]> {
  return readAcrossTenants(context, em =>
    em.execute<IngressLimit[]>(INGRESS_LIMITS, [`{${ids.join()}}`]),
  );
}
