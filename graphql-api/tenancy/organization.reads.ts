import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { escapeLike } from '../platform/database/escape-like.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { INGRESS_LIMITS, type IngressLimit } from './ingress-limit.reads.ts';
import { Organization } from './organization.entity.ts';

/** The viewer's own organization, if its ID is in the list. */
export async function organizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  const ownId = context.viewer?.organizationId;
  if (ownId === undefined || !ids.includes(ownId)) return [];
  return (await context.read()).find(Organization, { id: ownId });
}

/** All organizations, newest first, for platform admins. */
export async function platformOrganizationsPage(
  context: Context,
  page: PageRequest,
  { search }: { readonly search?: string | null | undefined },
): Promise<Page<Organization>> {
  const where = search ? { name: { $ilike: `%${escapeLike(search)}%` } } : {};
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
