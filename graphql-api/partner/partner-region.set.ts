import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import type { PartnerRegionSet } from './partner-admin.contract.ts';

type Known = {
  readonly region: string | null;
  readonly hasWallet: boolean;
  readonly hasTerms: boolean;
};

/**
 * Assigns the region whose terms an organization earns by. The first earning fixes the wallet's
 * currency, and with it the region. For platform admins.
 */
export async function partnerRegionSet(
  { em, deps, audit }: ActionScope,
  { organizationId, region }: PartnerRegionSet,
): Promise<{ readonly region: string }> {
  const [known] = await em.execute<Known[]>(
    `SELECT (SELECT region FROM partner_profiles WHERE organization_id = organizations.id) AS region,
            EXISTS (SELECT FROM wallets WHERE organization_id = organizations.id) AS "hasWallet",
            EXISTS (SELECT FROM program_terms WHERE program_terms.region = ?) AS "hasTerms"
     FROM organizations WHERE id = ?`,
    [region, organizationId],
  );
  if (known === undefined)
    return reject('NOT_FOUND', {
      field: ['organizationId'],
      message: 'No organization exists with this ID.',
    });
  if (!known.hasTerms)
    return reject('NOT_FOUND', {
      field: ['region'],
      message: 'No program terms exist for this region.',
    });
  const before = known.region ?? DEFAULT_REGION;
  if (before === region) return { region };
  if (known.hasWallet) return reject('REGION_FIXED', { field: ['organizationId'] });
  await em.execute(
    `INSERT INTO partner_profiles (organization_id, region, created_at) VALUES (?, ?, ?)
     ON CONFLICT (organization_id) DO UPDATE SET region = excluded.region`,
    [organizationId, region, new Date(deps.clock.nowMs()).toISOString()],
  );
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
