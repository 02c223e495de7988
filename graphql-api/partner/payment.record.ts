import { DAY_MS } from '../../schema/values/durations.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import { DEFAULT_REGION } from './ledger/default-region.ts';
import { type PostScope, post } from './ledger/post.ts';
import { earnCommission, earnCredit } from './ledger/postings.ts';
import { share } from './ledger/shares.ts';
import { type LockedWallet, openWallet } from './ledger/wallet.ts';
import { countLivePayments } from './live-payments.ts';
import type { Terms } from './program-terms.reads.ts';
import { releaseDay } from './release-day.ts';
import { requireAmount } from './require-amount.ts';
import { settleReversals } from './reversal.settle.ts';

type Payment = {
  /** The gateway's ID of the payment. */
  readonly id: string;
  /** The organization that paid the platform. */
  readonly organizationId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly clearedAt: Date;
};

export type PaymentOutcome =
  | 'EARNED'
  | 'NO_REFERRER'
  | 'NOT_FIRST'
  | 'TERM_OVER'
  | 'TOO_SMALL'
  | 'OTHER_CURRENCY';

export type RecordedPayment = {
  readonly outcome: PaymentOutcome;
  readonly earningId?: string;
  /** Whether the payment was already recorded, with this outcome. */
  readonly isRepeat: boolean;
};

/**
 * Records a cleared payment to the platform. The payer's referrer earns once, under the current
 * terms. For the system role. The caller must ensure that the payment is one to the platform
 * itself.
 */
export async function recordPayment(scope: PostScope, payment: Payment): Promise<RecordedPayment> {
  requireAmount(payment.amountMinor, 'amountMinor');
  if (!(await claimPayment(scope, payment))) return earlier(scope, payment);
  const referral = await lockReferral(scope, payment);
  if (referral !== undefined) await countLivePayments(scope.em, payment.id);
  const recorded =
    referral === undefined
      ? { outcome: 'NO_REFERRER' as const }
      : await earn(scope, payment, referral);
  await rowsOf(
    scope.em,
    sql`UPDATE payment_facts SET outcome = ${recorded.outcome} WHERE id = ${payment.id}`,
  );
  return { ...recorded, isRepeat: false };
}

/** Returns whether the payment is new. A reversal that arrived first has left a row to complete. */
async function claimPayment({ em, deps }: PostScope, payment: Payment): Promise<boolean> {
  const { id, organizationId, amountMinor, currency, clearedAt } = payment;
  const now = new Date(deps.clock.nowMs());
  const claimed = await rowsOf(
    em,
    sql`
      INSERT INTO payment_facts AS fact
        (id, organization_id, amount_minor, currency, cleared_at, created_at)
      VALUES (${id}, ${organizationId}, ${amountMinor}, ${currency}, ${clearedAt}, ${now})
      ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id,
        amount_minor = excluded.amount_minor, currency = excluded.currency,
        cleared_at = excluded.cleared_at
      WHERE fact.cleared_at IS NULL
      RETURNING 1`,
  );
  return claimed.length > 0;
}

async function earlier({ em }: PostScope, payment: Payment): Promise<RecordedPayment> {
  const { id, organizationId, amountMinor, currency } = payment;
  const [fact] = await rowsOf(
    em,
    sql<{ outcome: PaymentOutcome; earningId: string | null }>`
      SELECT outcome, earning.id AS earning_id
      FROM payment_facts fact LEFT JOIN earnings earning ON earning.payment_id = fact.id
      WHERE fact.id = ${id} AND fact.organization_id = ${organizationId}
        AND fact.amount_minor = ${amountMinor} AND fact.currency = ${currency}`,
  );
  if (fact === undefined) return reject('PAYMENT_MISMATCH');
  const { outcome, earningId } = fact;
  return { outcome, ...(earningId !== null && { earningId }), isRepeat: true };
}

type Referral = Omit<
  Terms,
  'currencySymbol' | 'dormancyDays' | 'payoutMinimumMinor' | 'updatedAt'
> & {
  readonly referrerId: string;
  /** Whether it is the first payment in the program's currency. */
  readonly isFirst: boolean;
  readonly firstPaidAt: Date;
  readonly status: 'USER' | 'AFFILIATE' | 'AGENCY';
};

/**
 * Serializes the payments of a referee, so that exactly one is the first. A payment in a currency
 * other than the program's earns nothing and does not count as the first.
 */
async function lockReferral(
  { em }: PostScope,
  { id, organizationId, clearedAt, currency }: Payment,
): Promise<Referral | undefined> {
  const [referral] = await rowsOf(
    em,
    sql<Referral>`
      WITH paid AS (
        SELECT ${organizationId}::uuid AS organization_id, ${id}::text AS id,
               ${clearedAt}::timestamptz AS at, ${currency}::text AS currency
      ), relation AS MATERIALIZED (
        SELECT * FROM referee_relations
        WHERE referee_organization_id = (SELECT organization_id FROM paid) FOR UPDATE
      ), referral AS (
        SELECT relation.*, coalesce(profile.partner_status, 'USER') AS status, terms.region,
               terms.currency, credit_rate_bps, hold_days, commission_rate_bps, commission_months,
               commission_age_days, terms.currency = paid.currency AS is_counted
        FROM relation CROSS JOIN paid
        LEFT JOIN partner_profiles profile ON profile.organization_id = referrer_organization_id
        LEFT JOIN wallets wallet ON wallet.organization_id = referrer_organization_id
        JOIN program_terms terms
          ON terms.region = coalesce(wallet.region, profile.region, ${DEFAULT_REGION})
      ), noted AS (
        UPDATE referee_relations noted SET
          first_payment_id = coalesce(noted.first_payment_id, paid.id),
          first_paid_at = coalesce(noted.first_paid_at, paid.at),
          first_counted_payment_id =
            coalesce(noted.first_counted_payment_id, CASE WHEN is_counted THEN paid.id END),
          first_counted_paid_at =
            coalesce(noted.first_counted_paid_at, CASE WHEN is_counted THEN paid.at END)
        FROM referral CROSS JOIN paid
        WHERE noted.referee_organization_id = paid.organization_id
          AND (noted.first_payment_id IS NULL
            OR noted.first_counted_payment_id IS NULL AND is_counted)
      )
      SELECT referrer_organization_id AS referrer_id, first_counted_payment_id IS NULL AS is_first,
             coalesce(first_counted_paid_at, paid.at) AS first_paid_at, status, region,
             referral.currency, credit_rate_bps, hold_days, commission_rate_bps, commission_months,
             commission_age_days
      FROM referral CROSS JOIN paid`,
  );
  return referral;
}

async function earn(
  scope: PostScope,
  payment: Payment,
  referral: Referral,
): Promise<Omit<RecordedPayment, 'isRepeat'>> {
  const { status, isFirst, referrerId, region, currency } = referral;
  if (status === 'USER' && !isFirst) return { outcome: 'NOT_FIRST' };
  if (status !== 'USER' && !isWithinMonths(payment.clearedAt, referral))
    return { outcome: 'TERM_OVER' };
  if (currency !== payment.currency) return { outcome: 'OTHER_CURRENCY' };
  const rateBps = status === 'USER' ? referral.creditRateBps : referral.commissionRateBps;
  const amountMinor = share(payment.amountMinor, rateBps);
  if (amountMinor === 0n) return { outcome: 'TOO_SMALL' };

  const { em, deps } = scope;
  const wallet = await openWallet(em, {
    id: deps.newId(),
    organizationId: referrerId,
    region,
    currency,
    at: new Date(deps.clock.nowMs()),
  });
  const earned = { id: deps.newId(), amountMinor };
  await insertEarning(scope, { ...earned, wallet, payment, referral, rateBps });
  const posting = status === 'USER' ? earnCredit(earned) : earnCommission(wallet.balances, earned);
  const posted = await post(scope, wallet, posting);
  await settleReversals(scope, {
    paymentId: payment.id,
    causeId: `payment:${payment.id}`,
    wallet: posted.wallet,
  });
  return { outcome: 'EARNED', earningId: earned.id };
}

function isWithinMonths(clearedAt: Date, { firstPaidAt, commissionMonths }: Referral): boolean {
  const end = new Date(firstPaidAt);
  end.setUTCMonth(end.getUTCMonth() + commissionMonths);
  return clearedAt < end;
}

async function insertEarning(
  { em, deps }: PostScope,
  earning: {
    readonly id: string;
    readonly amountMinor: bigint;
    readonly wallet: LockedWallet;
    readonly payment: Payment;
    readonly referral: Referral;
    readonly rateBps: number;
  },
): Promise<void> {
  const { id, amountMinor, wallet, payment, referral, rateBps } = earning;
  const { holdDays, commissionAgeDays } = referral;
  const isCredit = referral.status === 'USER';
  const now = new Date(deps.clock.nowMs());
  const clearedAtMs = payment.clearedAt.getTime();
  await rowsOf(
    em,
    sql`
      WITH touched AS (
        UPDATE wallets SET last_activity_at = greatest(last_activity_at, ${now})
        WHERE id = ${wallet.id})
      INSERT INTO earnings (id, organization_id, wallet_id, referee_organization_id, payment_id, kind,
        amount_minor, currency, rate_bps, release_on, released_at, eligible_at, created_at)
      VALUES (${id}, ${wallet.organizationId}, ${wallet.id}, ${payment.organizationId}, ${payment.id},
        ${isCredit ? 'CREDIT' : 'COMMISSION'}, ${amountMinor}, ${wallet.currency}, ${rateBps},
        ${isCredit ? releaseDay(clearedAtMs, holdDays) : null}, ${isCredit ? null : now},
        ${isCredit ? null : new Date(clearedAtMs + commissionAgeDays * DAY_MS)}, ${now})`,
  );
}
