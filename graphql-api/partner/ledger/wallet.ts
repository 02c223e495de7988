// Locks an organization's wallet. Every money operation locks the wallet's accounts, in ascending
// order, before it reads or changes anything else that depends on the wallet. So the operations of
// one wallet are serialized, and they cannot deadlock.

import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Liabilities of the platform to the partner. DEBT is owed by the partner, so it is never above
 * zero.
 */
export const WALLET_ACCOUNTS = ['PENDING', 'AVAILABLE', 'CASH', 'IN_PAYOUT', 'DEBT'] as const;
export type WalletAccount = (typeof WALLET_ACCOUNTS)[number];

export const PLATFORM_ACCOUNTS = [
  'REWARDS',
  'RESERVED',
  'INVOICES',
  'TAX_PAYABLE',
  'BANK',
] as const;
export type PlatformAccount = (typeof PLATFORM_ACCOUNTS)[number];

export type Balances = Readonly<Record<WalletAccount, bigint>>;

export type LockedWallet = {
  readonly id: string;
  readonly organizationId: string;
  readonly region: string;
  readonly currency: string;
  readonly balances: Balances;
  readonly accountIds: Readonly<Record<WalletAccount, string>>;
};

/** Undefined if the organization has no wallet, because it never earned anything. */
export async function lockWallet(
  em: EntityManager,
  organizationId: string,
): Promise<LockedWallet | undefined> {
  const rows = await em.execute<AccountRow[]>(
    `SELECT account.id, account.kind, account.balance_minor,
            wallet.id AS wallet_id, wallet.region, wallet.currency
     FROM ledger_accounts account JOIN wallets wallet ON wallet.id = account.wallet_id
     WHERE account.organization_id = ?
     ORDER BY account.id FOR UPDATE OF account`,
    [organizationId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const perAccount = <T>(value: (row: AccountRow) => T) =>
    Object.fromEntries(rows.map(row => [row.kind, value(row)])) as Record<WalletAccount, T>;
  return {
    id: first.wallet_id,
    organizationId,
    region: first.region,
    currency: first.currency,
    balances: perAccount(row => BigInt(row.balance_minor)),
    accountIds: perAccount(row => String(row.id)),
  };
}

export type WalletOpening = {
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
  await em.execute(
    `INSERT INTO ledger_accounts (kind, currency)
     SELECT kind, ? FROM unnest('{${PLATFORM_ACCOUNTS.join(',')}}'::text[]) kind
     ON CONFLICT (kind, currency) WHERE wallet_id IS NULL DO NOTHING`,
    [currency],
  );
  // A concurrent request waits here for the first one and then creates nothing.
  await em.execute(
    `WITH wallet AS (
       INSERT INTO wallets (id, organization_id, region, currency, last_activity_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (organization_id) DO NOTHING
       RETURNING id, organization_id, currency)
     INSERT INTO ledger_accounts (wallet_id, organization_id, kind, currency, balance_minor, version)
     SELECT wallet.id, organization_id, kind, currency, 0, 0
     FROM wallet, unnest('{${WALLET_ACCOUNTS.join(',')}}'::text[]) kind`,
    [id, organizationId, region, currency, at.toISOString(), at.toISOString()],
  );
  const opened = await lockWallet(em, organizationId);
  if (opened === undefined) throw new Error('the wallet that was just created was not found');
  return opened;
}

type AccountRow = {
  id: bigint;
  kind: WalletAccount;
  balance_minor: bigint;
  wallet_id: string;
  region: string;
  currency: string;
};
