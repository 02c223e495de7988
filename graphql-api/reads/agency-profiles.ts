import { AgencyProfile } from '../../schema/entities/agency-profile.ts';
import type { Context } from '../context.ts';
import { readAcrossTenants } from './across-tenants.ts';

/** By organisation, for platform admins. */
export async function agencyProfilesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly AgencyProfile[]> {
  return readAcrossTenants(context, em =>
    em.find(AgencyProfile, { organizationId: { $in: [...ids] } }),
  );
}
