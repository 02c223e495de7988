import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { agencyStandingOf } from './agency-standing.reads.ts';
import type { AgencyDeal, DealStatus } from './deal.entity.ts';
import { agencyDealsPage } from './deal.reads.ts';

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

type Row = { status: DealStatus; deals: number; estimated: string; actual: string };

/** Rejects viewers whose organization is not an agency. */
export async function agencyDashboard(context: Context): Promise<AgencyDashboard> {
  const { organizationId } = context.viewer ?? reject('UNAUTHENTICATED');
  const em = await context.read();
  const { isAgency, currency } = await agencyStandingOf(em, organizationId);
  if (!isAgency) return reject('NOT_AGENCY');
  const now = new Date(context.deps.clock.nowMs()).toISOString();
  const rows = await em.execute<Row[]>(BY_STATUS, [now, now, currency, organizationId]);
  const counts = { REGISTERED: 0, PROOF_SUBMITTED: 0, WON: 0, LOST: 0, EXPIRED: 0, WITHDRAWN: 0 };
  let estimatedMinor = 0n;
  let actualMinor = 0n;
  for (const { status, deals, estimated, actual } of rows) {
    counts[status] = deals;
    if (status === 'REGISTERED' || status === 'PROOF_SUBMITTED')
      estimatedMinor += BigInt(estimated);
    if (status === 'WON') actualMinor += BigInt(actual);
  }
  const decided = counts.WON + counts.LOST;
  const winRate = decided === 0 ? 0 : counts.WON / decided;
  const { items: recentDeals } = await agencyDealsPage(context, { first: RECENT_DEALS });
  return {
    counts,
    currency,
    estimatedMinor,
    actualMinor,
    winRate: Math.round(winRate * WIN_RATE_STEPS) / WIN_RATE_STEPS,
    recentDeals,
  };
}

/**
 * Statuses are evaluated by the current time. Only values in the agency's current currency are
 * summed; older deals have another currency if the agency's region changed.
 */
const BY_STATUS = `
  SELECT stands.status, count(*)::int AS deals,
         coalesce(sum(estimated_value_minor) FILTER (WHERE is_summed), 0) AS estimated,
         coalesce(sum(actual_value_minor) FILTER (WHERE is_summed), 0) AS actual
  FROM (
    SELECT CASE WHEN status = 'REGISTERED' AND proof_due_at < ? THEN 'EXPIRED'
                WHEN status IN ('REGISTERED', 'PROOF_SUBMITTED') AND locked_until <= ? THEN 'EXPIRED'
                ELSE status END AS status,
           estimated_value_minor, actual_value_minor, currency = ? AS is_summed
    FROM agency_deals WHERE organization_id = ?) stands
  GROUP BY stands.status`;
