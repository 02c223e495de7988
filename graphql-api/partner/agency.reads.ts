import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { AgencyProfile } from './agency.entity.ts';

/** Loads agencies by organization ID, for platform admins. */
export async function agencyProfilesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly AgencyProfile[]> {
  return readAcrossTenants(context, em =>
    em.find(AgencyProfile, { organizationId: { $in: [...ids] } }),
  );
}
