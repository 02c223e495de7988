import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import { nextReleaseDay } from './release-day.ts';
import type { WALLET_AMOUNTS } from './wallet.contract.ts';

/** The wallet of an organization; all amounts are zero before the first earning. */
export type WalletView = {
  readonly [Amount in keyof typeof WALLET_AMOUNTS as `${Amount}Minor`]: bigint;
} & {
  readonly currency: string;
  readonly currencySymbol: string;
  /** YYYY-MM-DD in UTC. Never in the past. */
  readonly pendingNextReleaseDate: string | null;
  readonly isDormant: boolean;
  readonly lastActivityAt: Date | null;
};

type WalletOf = { readonly organizationId: string; readonly nowMs: number };

export async function ownWallet(context: Context): Promise<WalletView> {
  return walletOf(await context.read(), ownAt(context));
}

export async function ownSchedule(context: Context): Promise<PendingSchedule> {
  return pendingSchedule(await context.read(), ownAt(context));
}

function ownAt({ viewer, deps }: Context): WalletOf {
  const { organizationId } = viewer ?? reject('UNAUTHENTICATED');
  return { organizationId, nowMs: deps.clock.nowMs() };
}

export async function walletOf(em: EntityManager, of: WalletOf): Promise<WalletView> {
  const [wallet] = await rowsOf(em, walletStatement(of));
  // Every region has terms, so a missing row means that the organization does not exist.
  return wallet ?? notFound('organization');
}

function walletStatement({ organizationId, nowMs }: WalletOf) {
  // The next run releases credits that are already due because their payment was reported late.
  const nextRelease = nextReleaseDay(nowMs);
  return sql<WalletView>`
    SELECT terms.currency, terms.currency_symbol, wallet.last_activity_at,
           coalesce(wallet.last_activity_at <= asked.at - terms.dormancy_days * interval '24 hours',
             false) AS is_dormant,
           coalesce(account.available, 0) AS credits_balance_minor,
           coalesce(account.pending, 0) AS credits_pending_minor,
           coalesce(account.cash, 0) AS cash_balance_minor,
           coalesce(account.in_payout, 0) AS cash_in_payout_minor,
           -coalesce(account.debt, 0) AS debt_minor,
           coalesce(earned.credits, 0)::bigint AS credits_earned_minor,
           coalesce(earned.cash, 0)::bigint AS cash_earned_minor,
           earned.next_release_on AS pending_next_release_date,
           coalesce(spent.redeemed, 0)::bigint AS credits_redeemed_minor,
           coalesce(spent.reserved, 0)::bigint AS credits_reserved_minor,
           coalesce(turned.converted, 0)::bigint AS credits_converted_minor,
           coalesce(paid.withdrawn, 0)::bigint AS cash_withdrawn_minor
    FROM (SELECT ${organizationId}::uuid AS organization_id,
                 ${new Date(nowMs)}::timestamptz AS at) asked
    LEFT JOIN partner_profiles partner USING (organization_id)
    LEFT JOIN wallets wallet USING (organization_id)
    JOIN program_terms terms ON terms.region = coalesce(wallet.region, partner.region, ${DEFAULT_REGION})
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
             min(greatest(release_on, ${nextRelease}::date))
               FILTER (WHERE status = 'PENDING') AS next_release_on
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
}

type PendingRelease = {
  /** YYYY-MM-DD in UTC. That day's job releases the credits at 02:00. Never in the past. */
  readonly releaseDate: string;
  readonly totalMinor: bigint;
  readonly transactionCount: number;
};

export type PendingSchedule = {
  readonly totalPendingMinor: bigint;
  readonly nextReleaseDate: string | null;
  readonly releases: readonly PendingRelease[];
};

/** The organization's held credits by release day, at most one entry per day. */
export async function pendingSchedule(
  em: EntityManager,
  { organizationId, nowMs }: WalletOf,
): Promise<PendingSchedule> {
  const releases = await rowsOf(
    em,
    sql<PendingRelease>`
      SELECT greatest(release_on, ${nextReleaseDay(nowMs)}::date) AS release_date,
             sum(amount_minor - clawed_minor)::bigint AS total_minor,
             count(*)::int AS transaction_count
      FROM earnings WHERE organization_id = ${organizationId} AND status = 'PENDING'
      GROUP BY release_date ORDER BY release_date`,
  );
  return {
    totalPendingMinor: releases.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
    nextReleaseDate: releases[0]?.releaseDate ?? null,
    releases,
  };
}
