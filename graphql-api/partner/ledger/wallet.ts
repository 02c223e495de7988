// An organisation's wallet, locked. Every operation on money locks the wallet's accounts, in
// ascending order, before it reads or changes anything else that the wallet decides about; so the
// operations of one wallet happen one after the other, and no two can wait for each other.

import type { EntityManager } from '@mikro-orm/postgresql';

/** What the platform owes the partner; DEBT is what the partner owes, and so never above zero. */
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

/** Undefined where the organisation never earned anything. */
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
    accountIds: perAccount(row => row.id),
  };
}

export type WalletOpening = {
  readonly id: string;
  readonly organizationId: string;
  readonly region: string;
  readonly currency: string;
  readonly at: Date;
};

/** Makes the wallet if this is the first earning, and locks it. For the system role only. */
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
  // Of two at once, the second waits here for the first and then makes nothing.
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
  id: string;
  kind: WalletAccount;
  balance_minor: string;
  wallet_id: string;
  region: string;
  currency: string;
};
