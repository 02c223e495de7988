import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import type { PartnerRegionSet } from './partner-admin.contract.ts';

/**
 * Assigns an organization to the region whose terms determine its rewards. The first earning fixes
 * the wallet's currency, and with it the region. Platform admins only.
 */
export async function partnerRegionSet(
  { em, deps, audit }: ActionScope,
  { organizationId, region }: PartnerRegionSet,
): Promise<{ readonly region: string }> {
  const [organization] = await rowsOf(
    em,
    sql<{ region: string | null; hasWallet: boolean; hasTerms: boolean }>`
      SELECT (SELECT region FROM partner_profiles WHERE organization_id = organizations.id) AS region,
             EXISTS (SELECT FROM wallets WHERE organization_id = organizations.id) AS has_wallet,
             EXISTS (SELECT FROM program_terms WHERE program_terms.region = ${region}) AS has_terms
      FROM organizations WHERE id = ${organizationId}`,
  );
  if (organization === undefined) return notFound('organization', 'organizationId');
  if (!organization.hasTerms)
    return reject('NOT_FOUND', {
      field: ['region'],
      message: 'No program terms exist for this region.',
    });
  const before = organization.region ?? DEFAULT_REGION;
  if (before === region) return { region };
  if (organization.hasWallet) return reject('REGION_FIXED', { field: ['organizationId'] });
  await kysely(em)
    .insertInto('partner_profiles')
    .values({ organizationId, region, createdAt: new Date(deps.clock.nowMs()) })
    .onConflict(known => known.column('organizationId').doUpdateSet({ region }))
    .execute();
  await audit({
    action: 'partner_profile.region',
    subjectType: 'organization',
    subjectId: organizationId,
    organizationId,
    workspaceId: null,
    before: { region: before },
    after: { region },
  });
  return { region };
}
