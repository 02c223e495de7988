import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import { taxRateBps } from './ledger/shares.ts';

export type Payee = {
  readonly taxRateBps: number;
  readonly payoutMinimumMinor: bigint;
  readonly commissionAgeDays: number;
};

/** The viewer's organization as the recipient of cash. Requires an approved KYC. */
export async function approvedPayee({ em, viewer }: ActionScope): Promise<Payee> {
  const [row] = await em.execute<PayeeRow[]>(
    `SELECT affiliate.has_pan_verified, affiliate.has_gst, terms.payout_minimum_minor,
            terms.commission_age_days
     FROM affiliate_profiles affiliate
     LEFT JOIN partner_profiles partner USING (organization_id)
     LEFT JOIN wallets wallet USING (organization_id)
     JOIN program_terms terms ON terms.region = coalesce(wallet.region, partner.region, ?)
     WHERE organization_id = ? AND affiliate.kyc_status = 'KYC_APPROVED'`,
    [DEFAULT_REGION, viewer.organizationId],
  );
  if (row === undefined) return reject('KYC_NOT_APPROVED');
  return {
    taxRateBps: taxRateBps({ hasGst: row.has_gst, hasPanVerified: row.has_pan_verified }),
    payoutMinimumMinor: BigInt(row.payout_minimum_minor),
    commissionAgeDays: row.commission_age_days,
  };
}

type PayeeRow = {
  has_pan_verified: boolean;
  has_gst: boolean;
  payout_minimum_minor: string;
  commission_age_days: number;
};
