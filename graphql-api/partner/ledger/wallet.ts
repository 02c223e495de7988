// Locks an organization's wallet. Every money operation locks the wallet's accounts, in ascending
// order, before it reads or changes anything else that depends on the wallet. So the operations of
// one wallet are serialized, and they cannot deadlock.

import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';

/**
 * Liabilities of the platform to the partner. DEBT is owed by the partner, so it is never above
 * zero.
 */
export const WALLET_ACCOUNTS = ['PENDING', 'AVAILABLE', 'CASH', 'IN_PAYOUT', 'DEBT'] as const;
export type WalletAccount = (typeof WALLET_ACCOUNTS)[number];

const PLATFORM_ACCOUNTS = ['REWARDS', 'RESERVED', 'INVOICES', 'TAX_PAYABLE', 'BANK'] as const;
export type PlatformAccount = (typeof PLATFORM_ACCOUNTS)[number];

export type Balances = Readonly<Record<WalletAccount, bigint>>;

export type LockedWallet = {
  readonly id: string;
  readonly organizationId: string;
  readonly region: string;
  readonly currency: string;
  readonly balances: Balances;
  readonly accountIds: Readonly<Record<WalletAccount, bigint>>;
};

/** Undefined if the organization has no wallet, because it never earned anything. */
export async function lockWallet(
  em: EntityManager,
  organizationId: string,
): Promise<LockedWallet | undefined> {
  const rows = await rowsOf(
    em,
    sql<AccountRow>`
      SELECT account.id, account.kind, account.balance_minor,
             wallet.id AS wallet_id, wallet.region, wallet.currency
      FROM ledger_accounts account JOIN wallets wallet ON wallet.id = account.wallet_id
      WHERE account.organization_id = ${organizationId}
      ORDER BY account.id FOR UPDATE OF account`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const { walletId: id, region, currency } = first;
  const perAccount = (value: (row: AccountRow) => bigint) =>
    Object.fromEntries(rows.map(row => [row.kind, value(row)])) as Balances;
  return {
    id,
    organizationId,
    region,
    currency,
    balances: perAccount(row => row.balanceMinor),
    accountIds: perAccount(row => row.id),
  };
}

type AccountRow = {
  readonly id: bigint;
  readonly kind: WalletAccount;
  readonly balanceMinor: bigint;
  readonly walletId: string;
  readonly region: string;
  readonly currency: string;
};

type WalletOpening = {
  readonly id: string;
  readonly organizationId: string;
  readonly region: string;
  readonly currency: string;
  readonly at: Date;
};

/** Locks the wallet, and creates it for the first earning. For the system role only. */
export async function openWallet(
  em: EntityManager,
  { id, organizationId, region, currency, at }: WalletOpening,
): Promise<LockedWallet> {
  const existing = await lockWallet(em, organizationId);
  if (existing !== undefined) return existing;
  await rowsOf(
    em,
    sql`INSERT INTO ledger_accounts (kind, currency)
        SELECT kind, ${currency} FROM unnest(${[...PLATFORM_ACCOUNTS]}::text[]) kind
        ON CONFLICT (kind, currency) WHERE wallet_id IS NULL DO NOTHING`,
  );
  // A concurrent request waits here for the first one and then creates nothing.
  await rowsOf(
    em,
    sql`
      WITH wallet AS (
        INSERT INTO wallets (id, organization_id, region, currency, last_activity_at, created_at)
        VALUES (${id}, ${organizationId}, ${region}, ${currency}, ${at}, ${at})
        ON CONFLICT (organization_id) DO NOTHING
        RETURNING id, organization_id, currency)
      INSERT INTO ledger_accounts (wallet_id, organization_id, kind, currency, balance_minor, version)
      SELECT wallet.id, organization_id, kind, currency, 0, 0
      FROM wallet, unnest(${[...WALLET_ACCOUNTS]}::text[]) kind`,
  );
  const opened = await lockWallet(em, organizationId);
  if (opened === undefined) throw new Error('the wallet that was just created was not found');
  return opened;
}

/** Starts a statement that also records the wallet's activity. */
export function touchingWallet(em: EntityManager, { id }: LockedWallet, at: Date) {
  return kysely(em).with('touched', query =>
    query
      .updateTable('wallets')
      .set({ lastActivityAt: sql`greatest(last_activity_at, ${at})` })
      .where('id', '=', id),
  );
}
