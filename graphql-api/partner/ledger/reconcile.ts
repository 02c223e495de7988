// Checks the ledger against the records that its postings refer to. Each check reads only the rows
// and computes the amounts differently from the postings. A result indicates a defect or a manual
// change.

import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../../platform/database/kysely.ts';

export type Discrepancy = {
  readonly check: string;
  readonly organizationId: string | null;
  /** The transaction, account, earning or invoice. */
  readonly subject: string;
  readonly expectedMinor: bigint;
  readonly actualMinor: bigint;
};

/** Enough to show that something is wrong. */
const DISCREPANCIES_MAX = 1_000;

/**
 * Returns an empty list if the ledger is consistent. Checks all organizations (as the system role)
 * or one.
 */
export async function reconcile(
  em: EntityManager,
  organizationId?: string,
): Promise<Discrepancy[]> {
  const checks = Object.entries(CHECKS).map(
    ([name, check]) => sql`
      SELECT ${sql.lit(name)} AS "check", organization_id, subject,
             coalesce(expected, 0)::bigint AS expected_minor, coalesce(actual, 0)::bigint AS actual_minor
      FROM (${sql.raw(check)}) asked WHERE expected IS DISTINCT FROM actual`,
  );
  const scope = organizationId === undefined ? sql`` : ofOrganization(organizationId);
  return rowsOf(
    em,
    sql<Discrepancy>`${scope} ${sql.join(checks, sql` UNION ALL `)} LIMIT ${DISCREPANCIES_MAX}`,
  );
}

const ORGANIZATION_TABLES = [
  'ledger_entries',
  'ledger_accounts',
  'earnings',
  'payouts',
  'redemptions',
] as const;

/** Restricts each table to the rows of one organization. */
function ofOrganization(id: string) {
  const tables = ORGANIZATION_TABLES.map(table => {
    const ofPlatform = table === 'ledger_accounts' ? sql`wallet_id IS NULL OR` : sql``;
    return sql`${sql.raw(table)} AS NOT MATERIALIZED (
      SELECT * FROM ${sql.raw(table)} WHERE ${ofPlatform} organization_id = ${id})`;
  });
  return sql`WITH ${sql.join(tables)}`;
}

/**
 * The sum of an organization's entries in accounts of one kind, of the wallet or of the platform.
 */
function ledger(kind: string): string {
  return `SELECT entry.organization_id, sum(entry.amount_minor) AS amount
          FROM ledger_entries entry JOIN ledger_accounts account ON account.id = entry.account_id
          WHERE account.kind = '${kind}' GROUP BY entry.organization_id`;
}

/** Checks that an account of each organization equals the sum of the records behind it. */
function stands(kind: string, table: string, sum: string, where = 'true'): string {
  return `SELECT organization_id, '${kind}' AS subject, coalesce(rows.amount, 0) AS expected,
                 coalesce(ledger.amount, 0) AS actual
          FROM (SELECT organization_id, sum(${sum}) AS amount FROM ${table}
                WHERE ${where} GROUP BY organization_id) rows
          FULL JOIN (${ledger(kind)}) ledger USING (organization_id)`;
}

const CHECKS: Readonly<Record<string, string>> = {
  transaction_is_balanced: `
    SELECT organization_id, transaction_id::text AS subject, 0 AS expected, sum(amount_minor) AS actual
    FROM ledger_entries GROUP BY organization_id, transaction_id, currency`,
  balance_is_sum_of_entries: `
    SELECT account.organization_id, account.id::text AS subject,
           coalesce(sum(entry.amount_minor), 0) AS expected, account.balance_minor AS actual
    FROM ledger_accounts account LEFT JOIN ledger_entries entry ON entry.account_id = account.id
    WHERE account.wallet_id IS NOT NULL GROUP BY account.organization_id, account.id, account.balance_minor, account.version`,
  version_is_count_of_entries: `
    SELECT account.organization_id, account.id::text AS subject, count(entry.id) AS expected,
           account.version AS actual
    FROM ledger_accounts account LEFT JOIN ledger_entries entry ON entry.account_id = account.id
    WHERE account.wallet_id IS NOT NULL GROUP BY account.organization_id, account.id, account.balance_minor, account.version`,
  entries_are_a_chain: `
    SELECT organization_id, account_id || '/' || account_version AS subject,
           sum(amount_minor) OVER (PARTITION BY account_id ORDER BY account_version) AS expected,
           balance_after AS actual
    FROM ledger_entries WHERE account_version IS NOT NULL`,
  nobody_has_balance_and_debt: `
    SELECT debt.organization_id, debt.id::text AS subject, 0 AS expected,
           coalesce(sum(other.balance_minor), 0) AS actual
    FROM ledger_accounts debt JOIN ledger_accounts other USING (wallet_id)
    WHERE debt.kind = 'DEBT' AND debt.balance_minor < 0 AND other.kind IN ('AVAILABLE', 'CASH')
    GROUP BY debt.organization_id, debt.id`,
  pending_is_held_credits: stands(
    'PENDING',
    'earnings',
    'amount_minor - clawed_minor',
    'released_at IS NULL',
  ),
  rewards_are_earnings: stands('REWARDS', 'earnings', 'clawed_minor - amount_minor'),
  in_payout_is_open_payouts: stands(
    'IN_PAYOUT',
    'payouts',
    'gross_minor',
    `status IN ('REQUESTED', 'PROCESSING')`,
  ),
  bank_is_paid_payouts: stands('BANK', 'payouts', 'net_minor', `status = 'PAID'`),
  tax_is_paid_payouts: stands('TAX_PAYABLE', 'payouts', 'tax_minor', `status = 'PAID'`),
  reserved_is_reservations: stands(
    'RESERVED',
    'redemptions',
    'amount_minor',
    `status = 'RESERVED'`,
  ),
  invoices_are_redemptions: stands(
    'INVOICES',
    'redemptions',
    'amount_minor',
    `status = 'CAPTURED'`,
  ),
  invoice_is_paid_by_half_at_most: `
    SELECT organization_id, invoice_id AS subject, 0 AS expected,
           greatest(0, sum(amount_minor) - min(invoice_total_minor) / 2) AS actual
    FROM redemptions WHERE status = 'CAPTURED' GROUP BY organization_id, invoice_id`,
  clawed_is_what_reversals_ask: `
    SELECT earning.organization_id, earning.id::text AS subject, earning.clawed_minor AS actual,
           CASE WHEN coalesce(bool_or(reversal.kind = 'CHARGEBACK' AND reversal.won_at IS NULL), false)
                THEN earning.amount_minor
                ELSE div(earning.amount_minor::numeric
                         * least(coalesce(sum(reversal.amount_minor), 0), min(fact.amount_minor)),
                         min(fact.amount_minor)) END AS expected
    FROM earnings earning JOIN payment_facts fact ON fact.id = earning.payment_id
    LEFT JOIN payment_reversals reversal ON reversal.payment_id = fact.id
    GROUP BY earning.organization_id, earning.id, earning.amount_minor, earning.clawed_minor`,
};
