// A wallet with one of each kind of transaction, under IDs derived from the tenant's. Written as
// rows, because the operations themselves process the wallets of the whole database.

import { v7 as uuidv7 } from 'uuid';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

type Organization = Pick<Tenant, 'organizationId'>;
type Noun = 'Referral' | 'Earning' | 'LedgerTransaction' | 'Redemption' | 'Conversion' | 'Payout';

/**
 * The ID of the existing object: the held credit, its transaction, or the payout that was just
 * requested.
 */
export function walletIdOf(noun: Noun): (tenant: Organization) => string {
  return ({ organizationId }) => derivedUuid(`${noun} of a test`, organizationId);
}

export function invoiceIdOf({ organizationId }: Organization): string {
  return derivedUuid('invoice of a test', organizationId);
}

export function codeOf({ organizationId }: Organization): string {
  return organizationId.slice(-12);
}

const DAY_MS = 24 * 60 * 60 * 1000;
const WALLET = ['PENDING', 'AVAILABLE', 'CASH', 'IN_PAYOUT', 'DEBT'] as const;
const PLATFORM = ['REWARDS', 'RESERVED', 'INVOICES', 'TAX_PAYABLE', 'BANK'] as const;

type Account = (typeof WALLET)[number] | (typeof PLATFORM)[number];
type Posting = {
  readonly id: string;
  readonly kind: string;
  readonly source: readonly [type: string, id: string];
  readonly entries: Partial<Record<Account, number>>;
};

/**
 * The wallet of an affiliate with an approved KYC: 350.00 of credits, of which 70.00 are held until
 * the far future, and 2,050.00 of cash, of which 2,000.00 are old enough and 1,000.00 are in a
 * payout.
 */
export async function furnishWallet(tenant: Organization, databaseUrl?: string): Promise<void> {
  const { organizationId } = tenant;
  const walletId = uuidv7();
  const [released, commission] = [uuidv7(), uuidv7()];
  const id = (noun: Noun) => walletIdOf(noun)(tenant);
  const postings: Posting[] = [
    posting('EARN_CREDIT', ['earning', released], { REWARDS: -50_000, PENDING: 50_000 }),
    posting('RELEASE_CREDITS', ['release', '2026-01-01'], { PENDING: -50_000, AVAILABLE: 50_000 }),
    {
      ...posting('EARN_CREDIT', ['earning', id('Earning')], { REWARDS: -7_000, PENDING: 7_000 }),
      id: id('LedgerTransaction'),
    },
    posting('EARN_COMMISSION', ['earning', commission], { REWARDS: -300_000, CASH: 300_000 }),
    posting('REDEEM', ['redemption', id('Redemption')], { AVAILABLE: -10_000, INVOICES: 10_000 }),
    posting('CONVERT_CREDITS', ['conversion', id('Conversion')], {
      AVAILABLE: -5_000,
      CASH: 5_000,
    }),
    posting('REQUEST_PAYOUT', ['payout', id('Payout')], { CASH: -100_000, IN_PAYOUT: 100_000 }),
  ];
  const [first, second, third] = await referees(tenant, 3, databaseUrl);
  const ago = (days: number) => `'${new Date(Date.now() - days * DAY_MS).toISOString()}'`;
  const own = `'${organizationId}', '${walletId}'`;
  const earning = (earningId: string, referee: string, rest: string) =>
    `('${earningId}', ${own}, '${referee}', 'payment-of-${referee}', 'INR', 1000, ${rest})`;
  await sql(
    `
    INSERT INTO partner_profiles (organization_id, partner_status) VALUES ('${organizationId}', 'AFFILIATE')
      ON CONFLICT DO NOTHING;
    INSERT INTO affiliate_profiles (organization_id, kyc_status, has_pan_verified)
      VALUES ('${organizationId}', 'KYC_APPROVED', true)
      ON CONFLICT (organization_id) DO UPDATE SET kyc_status = 'KYC_APPROVED', has_pan_verified = true;
    INSERT INTO wallets (id, organization_id, region, currency, last_activity_at)
      VALUES ('${walletId}', '${organizationId}', 'INDIA', 'INR', now());
    INSERT INTO earnings (id, organization_id, wallet_id, referee_organization_id, payment_id, currency,
        rate_bps, kind, amount_minor, release_on, released_at, eligible_at, created_at) VALUES
      ${earning(released, first!, `'CREDIT', 50000, '2026-01-01', ${ago(40)}, NULL, ${ago(80)}`)},
      ${earning(id('Earning'), second!, `'CREDIT', 7000, '2100-01-01', NULL, NULL, ${ago(2)}`)},
      ${earning(commission, third!, `'COMMISSION', 300000, NULL, ${ago(40)}, ${ago(10)}, ${ago(40)}`)};
    INSERT INTO invoices (organization_id, id, kind, total_minor, currency, registered_at)
      VALUES ('${organizationId}', '${invoiceIdOf(tenant)}', 'NORMAL', 100000, 'INR', now());
    INSERT INTO redemptions (id, organization_id, wallet_id, invoice_id, invoice_total_minor,
        amount_minor, currency, status, settled_at, created_at)
      VALUES ('${id('Redemption')}', ${own}, '${invoiceIdOf(tenant)}', 100000, 10000, 'INR', 'CAPTURED', now(), now());
    INSERT INTO conversions (id, organization_id, wallet_id, amount_minor, currency, eligible_at, created_at)
      VALUES ('${id('Conversion')}', ${own}, 5000, 'INR', now() + interval '30 days', now());
    INSERT INTO payouts (id, organization_id, wallet_id, gross_minor, tax_rate_bps, tax_minor, net_minor,
        currency, created_at)
      VALUES ('${id('Payout')}', ${own}, 100000, 200, 2000, 98000, 'INR', now());
    ${ledgerSql(organizationId, walletId, postings)}`,
    [],
    databaseUrl,
  );
}

function posting(kind: string, source: Posting['source'], entries: Posting['entries']): Posting {
  return { id: uuidv7(), kind, source, entries };
}

/**
 * Organizations that signed up with the tenant's code and paid. The first is the referral of
 * walletIdOf.
 */
async function referees(
  tenant: Organization,
  count: number,
  databaseUrl: string | undefined,
): Promise<string[]> {
  const code = codeOf(tenant);
  await sql(
    'INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2)',
    [code, tenant.organizationId],
    databaseUrl,
  );
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const [id, relationId] = [uuidv7(), i === 0 ? walletIdOf('Referral')(tenant) : uuidv7()];
    await sql(
      'INSERT INTO organizations (id, name) VALUES ($1, $2)',
      [id, `Referee ${id}`],
      databaseUrl,
    );
    await sql(
      `INSERT INTO payment_facts (id, organization_id, amount_minor, currency, cleared_at, outcome)
       VALUES ($1, $2, 500000, 'INR', now(), 'EARNED')`,
      [`payment-of-${id}`, id],
      databaseUrl,
    );
    await sql(
      `INSERT INTO referee_relations (id, referee_organization_id, referrer_organization_id, code,
         first_payment_id, first_paid_at, first_counted_payment_id, first_counted_paid_at, live_payments)
       VALUES ($1, $2, $3, $4, $5, now(), $5, now(), 1)`,
      [relationId, id, tenant.organizationId, code, `payment-of-${id}`],
      databaseUrl,
    );
    ids.push(id);
  }
  return ids;
}

/** Inserts the transactions with their entries, and the resulting accounts. */
function ledgerSql(organizationId: string, walletId: string, postings: readonly Posting[]): string {
  const accounts = new Map(WALLET.map(kind => [kind as string, { balance: 0, version: 0 }]));
  const entries = postings.flatMap(({ id, entries: amounts }) =>
    Object.entries(amounts).map(([kind, amount]) => {
      const account = accounts.get(kind);
      if (account === undefined) return `('${id}'::uuid, '${kind}', ${amount}, NULL, NULL)`;
      account.balance += amount;
      account.version++;
      return `('${id}'::uuid, '${kind}', ${amount}, ${account.balance}, ${account.version})`;
    }),
  );
  const transactions = postings.map(({ id, kind, source: [type, sourceId], entries: amounts }) => {
    const amount = Math.max(...Object.values(amounts));
    return `('${id}', '${organizationId}', '${kind}', 'test:${id}', ${amount}, 'INR', '${type}', '${sourceId}', now())`;
  });
  const rows = [...accounts].map(
    ([kind, { balance, version }]) =>
      `('${walletId}', '${organizationId}', '${kind}', 'INR', ${balance}, ${version})`,
  );
  return `
    INSERT INTO ledger_accounts (kind, currency)
      SELECT kind, 'INR' FROM unnest('{${PLATFORM.join()}}'::text[]) kind
      ON CONFLICT (kind, currency) WHERE wallet_id IS NULL DO NOTHING;
    INSERT INTO ledger_accounts (wallet_id, organization_id, kind, currency, balance_minor, version)
      VALUES ${rows.join(', ')};
    INSERT INTO ledger_transactions (id, organization_id, kind, idempotency_key, amount_minor, currency,
      source_type, source_id, created_at) VALUES ${transactions.join(', ')};
    INSERT INTO ledger_entries (transaction_id, organization_id, account_id, currency, amount_minor,
        balance_after, account_version)
      SELECT entry.id, '${organizationId}', account.id, 'INR', entry.amount, entry.balance, entry.version
      FROM (VALUES ${entries.join(', ')}) entry (id, kind, amount, balance, version)
      JOIN ledger_accounts account ON account.kind = entry.kind AND account.currency = 'INR'
        AND coalesce(account.wallet_id = '${walletId}', true)
      ORDER BY entry.version NULLS FIRST;`;
}
