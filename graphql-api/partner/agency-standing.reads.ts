import type { EntityManager } from '@mikro-orm/postgresql';
import { DEFAULT_REGION } from './ledger/default-region.ts';

export type AgencyStanding = {
  readonly isAgency: boolean;
  readonly agreementSignedAt: Date | null;
  /** The agency's own domain, which it cannot register as a prospect. */
  readonly domain: string | null;
  /** The currency of the program in the agency's region. */
  readonly currency: string;
};

type Row = {
  is_agency: boolean;
  agreement_signed_at: string | null;
  domain: string | null;
  currency: string;
};

export async function agencyStandingOf(
  em: EntityManager,
  organizationId: string,
): Promise<AgencyStanding> {
  const [row] = await em.execute<Row[]>(
    `SELECT partner.partner_status IS NOT DISTINCT FROM 'AGENCY' AS is_agency,
            agency.agreement_signed_at, agency.domain, terms.currency
     FROM (SELECT ?::uuid AS organization_id) asked
     LEFT JOIN partner_profiles partner USING (organization_id)
     LEFT JOIN wallets wallet USING (organization_id)
     LEFT JOIN agency_profiles agency USING (organization_id)
     JOIN program_terms terms ON terms.region = coalesce(wallet.region, partner.region, ?)`,
    [organizationId, DEFAULT_REGION],
  );
  if (row === undefined) throw new Error('no program terms exist for the region');
  return {
    isAgency: row.is_agency,
    agreementSignedAt: row.agreement_signed_at === null ? null : new Date(row.agreement_signed_at),
    domain: row.domain,
    currency: row.currency,
  };
}
