import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { platformReads } from '../platform/database/entity-reads.ts';
import { kysely } from '../platform/database/kysely.ts';
import { Organization } from './organization.entity.ts';

/** All organizations, newest first, for platform admins. */
export const platformOrganizations = platformReads(Organization);

/** The viewer's own organization, if its ID is in the list. */
export async function organizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  const ownId = context.viewer?.organizationId;
  if (ownId === undefined || !ids.includes(ownId)) return [];
  return (await context.read()).find(Organization, { id: ownId });
}

/** The limits of those organizations that are visible to the viewer's transaction. */
export async function ingressLimitsByIds(context: Context, ids: readonly string[]) {
  return ingressLimits(await context.read(), ids);
}

export async function platformIngressLimitsByIds(context: Context, ids: readonly string[]) {
  return readAcrossTenants(context, em => ingressLimits(em, ids));
}

/** The effective limits: the organization's own, or the lowest default of its cells. */
function ingressLimits(em: EntityManager, ids: readonly string[]) {
  return kysely(em)
    .selectFrom('ingress_limits')
    .select(['organizationId as id', 'eventsPerMinute'])
    .where('organizationId', 'in', ids)
    .execute();
}
