import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { DealStatus } from './agency.contract.ts';
import { AgencyProfile } from './agency.entity.ts';
import type { AgencyDeal } from './deal.entity.ts';
import { agencyDeals } from './deal.reads.ts';
import { isOpen } from './deal-clock.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';

/** Loads agencies by organization ID, for platform admins. */
export async function agencyProfilesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly AgencyProfile[]> {
  return readAcrossTenants(context, em =>
    em.find(AgencyProfile, { organizationId: { $in: [...ids] } }),
  );
}

export type AgencyStanding = {
  readonly isAgency: boolean;
  readonly agreementSignedAt: Date | null;
  /** The agency's own domain, which it cannot register as a prospect. */
  readonly domain: string | null;
  /** The currency of the program in the agency's region. */
  readonly currency: string;
};

export async function agencyStandingOf(
  em: EntityManager,
  organizationId: string,
): Promise<AgencyStanding> {
  const [standing] = await rowsOf(
    em,
    sql<AgencyStanding>`
      SELECT partner.partner_status IS NOT DISTINCT FROM 'AGENCY' AS is_agency,
             agency.agreement_signed_at, agency.domain, terms.currency
      FROM (SELECT ${organizationId}::uuid AS organization_id) asked
      LEFT JOIN partner_profiles partner USING (organization_id)
      LEFT JOIN wallets wallet USING (organization_id)
      LEFT JOIN agency_profiles agency USING (organization_id)
      JOIN program_terms terms
        ON terms.region = coalesce(wallet.region, partner.region, ${DEFAULT_REGION})`,
  );
  if (standing === undefined) throw new Error('no program terms exist for the region');
  return standing;
}

export type AgencyDashboard = {
  readonly counts: Readonly<Record<DealStatus, number>>;
  readonly currency: string;
  /** The sum of the open deals' estimated values. */
  readonly estimatedMinor: bigint;
  /** The sum of the won deals' actual values. */
  readonly actualMinor: bigint;
  /** Won deals divided by won and lost deals. */
  readonly winRate: number;
  readonly recentDeals: readonly AgencyDeal[];
};

const RECENT_DEALS = 20;
/** Rounds the win rate to four decimals. */
const WIN_RATE_STEPS = 10_000;

/** Rejects viewers whose organization is not an agency. */
export async function agencyDashboard(context: Context): Promise<AgencyDashboard> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const { isAgency, currency } = await agencyStandingOf(em, organizationId);
  if (!isAgency) return reject('NOT_AGENCY');
  const now = new Date(context.deps.clock.nowMs());
  const counts = { REGISTERED: 0, PROOF_SUBMITTED: 0, WON: 0, LOST: 0, EXPIRED: 0, WITHDRAWN: 0 };
  let estimatedMinor = 0n;
  let actualMinor = 0n;
  for (const total of await totalsByStatus(em, organizationId, currency, now)) {
    counts[total.status] = total.deals;
    if (isOpen(total.status)) estimatedMinor += total.estimatedMinor;
    if (total.status === 'WON') actualMinor += total.actualMinor;
  }
  const decided = counts.WON + counts.LOST;
  const winRate = decided === 0 ? 0 : counts.WON / decided;
  const { items: recentDeals } = await agencyDeals.page(context, { first: RECENT_DEALS });
  return {
    counts,
    currency,
    estimatedMinor,
    actualMinor,
    winRate: Math.round(winRate * WIN_RATE_STEPS) / WIN_RATE_STEPS,
    recentDeals,
  };
}

type StatusTotal = {
  readonly status: DealStatus;
  readonly deals: number;
  readonly estimatedMinor: bigint;
  readonly actualMinor: bigint;
};

/**
 * Statuses are evaluated by the current time. Only values in the agency's current currency are
 * summed; older deals have another currency if the agency's region changed.
 */
function totalsByStatus(
  em: EntityManager,
  organizationId: string,
  currency: string,
  now: Date,
): Promise<StatusTotal[]> {
  return rowsOf(
    em,
    sql<StatusTotal>`
      SELECT stands.status, count(*)::int AS deals,
             coalesce(sum(estimated_value_minor) FILTER (WHERE is_summed), 0)::bigint AS estimated_minor,
             coalesce(sum(actual_value_minor) FILTER (WHERE is_summed), 0)::bigint AS actual_minor
      FROM (
        SELECT CASE WHEN status = 'REGISTERED' AND proof_due_at < ${now} THEN 'EXPIRED'
                    WHEN status IN ('REGISTERED', 'PROOF_SUBMITTED') AND locked_until <= ${now}
                      THEN 'EXPIRED'
                    ELSE status END AS status,
               estimated_value_minor, actual_value_minor, currency = ${currency} AS is_summed
        FROM agency_deals WHERE organization_id = ${organizationId}) stands
      GROUP BY stands.status`,
  );
}
