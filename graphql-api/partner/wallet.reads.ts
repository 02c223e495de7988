import type { EntityManager } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import { nextReleaseDay } from './release-day.ts';

/** The wallet of an organization; all amounts are zero before the first earning. */
export type WalletView = {
  readonly currency: string;
  readonly currencySymbol: string;
  readonly creditsBalanceMinor: bigint;
  /** Net of clawbacks, including held credits. */
  readonly creditsEarnedMinor: bigint;
  /** Including reservations. */
  readonly creditsRedeemedMinor: bigint;
  readonly creditsReservedMinor: bigint;
  readonly creditsConvertedMinor: bigint;
  readonly creditsPendingMinor: bigint;
  /** YYYY-MM-DD in UTC. Never in the past. */
  readonly pendingNextReleaseDate: string | null;
  readonly cashBalanceMinor: bigint;
  /**
   * Commissions, net of clawbacks. Converted credits are not included, since they were earned as
   * credits.
   */
  readonly cashEarnedMinor: bigint;
  /** Before tax. */
  readonly cashWithdrawnMinor: bigint;
  /** In payouts that are neither paid nor returned. */
  readonly cashInPayoutMinor: bigint;
  /** Clawed-back amounts that the balances could not cover. Later inflows repay it first. */
  readonly debtMinor: bigint;
  readonly isDormant: boolean;
  readonly lastActivityAt: Date | null;
};

export type WalletOf = { readonly organizationId: string; readonly nowMs: number };

export async function walletOf(
  em: EntityManager,
  { organizationId, nowMs }: WalletOf,
): Promise<WalletView> {
  const now = new Date(nowMs).toISOString();
  const [row] = await em.execute<WalletRow[]>(WALLET, [organizationId, now, DEFAULT_REGION]);
  // Every region has terms, so a missing row means that the organization does not exist.
  if (row === undefined)
    return reject('NOT_FOUND', { message: 'No organization exists with this ID.' });
  return {
    currency: row.currency,
    currencySymbol: row.currency_symbol,
    creditsBalanceMinor: BigInt(row.available),
    creditsEarnedMinor: BigInt(row.credits_earned),
    creditsRedeemedMinor: BigInt(row.redeemed),
    creditsReservedMinor: BigInt(row.reserved),
    creditsConvertedMinor: BigInt(row.converted),
    creditsPendingMinor: BigInt(row.pending),
    pendingNextReleaseDate: atNextRelease(row.next_release_on, nowMs),
    cashBalanceMinor: BigInt(row.cash),
    cashEarnedMinor: BigInt(row.cash_earned),
    cashWithdrawnMinor: BigInt(row.withdrawn),
    cashInPayoutMinor: BigInt(row.in_payout),
    debtMinor: -BigInt(row.debt),
    isDormant: row.is_dormant,
    lastActivityAt: row.last_activity_at === null ? null : new Date(row.last_activity_at),
  };
}

/** The next run releases credits that are already due because their payment was reported late. */
function atNextRelease(releaseOn: string | null, nowMs: number): string | null {
  const next = nextReleaseDay(nowMs);
  return releaseOn !== null && releaseOn < next ? next : releaseOn;
}

type WalletRow = Record<
  | 'available'
  | 'pending'
  | 'cash'
  | 'in_payout'
  | 'debt'
  | 'credits_earned'
  | 'cash_earned'
  | 'redeemed'
  | 'reserved'
  | 'converted'
  | 'withdrawn'
  | 'currency'
  | 'currency_symbol',
  string
> & {
  readonly next_release_on: string | null;
  readonly is_dormant: boolean;
  readonly last_activity_at: string | null;
};

const WALLET = `
  SELECT terms.currency, terms.currency_symbol, wallet.last_activity_at,
         coalesce(wallet.last_activity_at <= asked.at - terms.dormancy_days * interval '24 hours', false)
           AS is_dormant,
         coalesce(account.available, 0) AS available, coalesce(account.pending, 0) AS pending,
         coalesce(account.cash, 0) AS cash, coalesce(account.in_payout, 0) AS in_payout,
         coalesce(account.debt, 0) AS debt,
         coalesce(earned.credits, 0) AS credits_earned, coalesce(earned.cash, 0) AS cash_earned,
         earned.next_release_on, coalesce(spent.redeemed, 0) AS redeemed,
         coalesce(spent.reserved, 0) AS reserved, coalesce(turned.converted, 0) AS converted,
         coalesce(paid.withdrawn, 0) AS withdrawn
  FROM (SELECT ?::uuid AS organization_id, ?::timestamptz AS at) asked
  LEFT JOIN partner_profiles partner USING (organization_id)
  LEFT JOIN wallets wallet USING (organization_id)
  JOIN program_terms terms ON terms.region = coalesce(wallet.region, partner.region, ?)
  LEFT JOIN LATERAL (
    SELECT max(balance_minor) FILTER (WHERE kind = 'AVAILABLE') AS available,
           max(balance_minor) FILTER (WHERE kind = 'PENDING') AS pending,
           max(balance_minor) FILTER (WHERE kind = 'CASH') AS cash,
           max(balance_minor) FILTER (WHERE kind = 'IN_PAYOUT') AS in_payout,
           max(balance_minor) FILTER (WHERE kind = 'DEBT') AS debt
    FROM ledger_accounts WHERE wallet_id = wallet.id) account ON true
  LEFT JOIN LATERAL (
    SELECT sum(amount_minor - clawed_minor) FILTER (WHERE kind = 'CREDIT') AS credits,
           sum(amount_minor - clawed_minor) FILTER (WHERE kind = 'COMMISSION') AS cash,
           min(release_on) FILTER (WHERE status = 'PENDING') AS next_release_on
    FROM earnings WHERE organization_id = wallet.organization_id) earned ON true
  LEFT JOIN LATERAL (
    SELECT sum(amount_minor) FILTER (WHERE status <> 'RELEASED') AS redeemed,
           sum(amount_minor) FILTER (WHERE status = 'RESERVED') AS reserved
    FROM redemptions WHERE organization_id = wallet.organization_id) spent ON true
  LEFT JOIN LATERAL (
    SELECT sum(amount_minor) AS converted
    FROM conversions WHERE organization_id = wallet.organization_id) turned ON true
  LEFT JOIN LATERAL (
    SELECT sum(gross_minor) FILTER (WHERE status = 'PAID') AS withdrawn
    FROM payouts WHERE organization_id = wallet.organization_id) paid ON true`;
