// The only code that writes to the ledger.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import type { Posting } from './posting.ts';
import { type Balances, type LockedWallet, WALLET_ACCOUNTS, type WalletAccount } from './wallet.ts';

export type PostScope = {
  readonly em: EntityManager;
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

export type Posted = {
  readonly transactionId: string;
  /** The wallet with the balances after the posting. */
  readonly wallet: LockedWallet;
  /** Whether the posting already existed, so that nothing was written. */
  readonly isRepeat: boolean;
};

/**
 * Writes the transaction, the balances and the entries in one statement. If the key was already
 * used for the same posting, returns the earlier transaction. A different posting with the same key
 * is a defect of the caller, and throws.
 */
export async function post(
  { em, deps }: PostScope,
  wallet: LockedWallet,
  posting: Posting,
): Promise<Posted> {
  requireBalanced(posting);
  const id = deps.newId();
  const rows = await em.execute<{ kind: WalletAccount | null; balance: string | null }[]>(
    POST,
    parametersOf(id, wallet, posting, new Date(deps.clock.nowMs())),
  );
  if (rows.length === 0) return { ...(await earlier(em, wallet, posting)), isRepeat: true };
  const moved = new Map(rows.map(({ kind, balance }) => [kind, balance]));
  const balances = Object.fromEntries(
    WALLET_ACCOUNTS.map(kind => {
      const balance = moved.get(kind);
      return [kind, balance == null ? wallet.balances[kind] : BigInt(balance)];
    }),
  ) as Balances;
  return { transactionId: id, wallet: { ...wallet, balances }, isRepeat: false };
}

const POST = `
  WITH entry AS (
    SELECT * FROM jsonb_to_recordset(?::jsonb) AS entry (kind text, account_id bigint, amount_minor bigint)
  ), posted AS (
    INSERT INTO ledger_transactions (id, organization_id, kind, idempotency_key, amount_minor,
      currency, source_type, source_id, reverses_id, created_at)
    VALUES (?, ?, ?, ?, ?::bigint, ?, ?, ?, ?::uuid, ?)
    ON CONFLICT (idempotency_key) DO NOTHING
    RETURNING id, organization_id, currency
  ), moved AS (
    UPDATE ledger_accounts account
    SET balance_minor = balance_minor + entry.amount_minor, version = version + 1
    FROM entry, posted WHERE account.id = entry.account_id
    RETURNING account.id, account.balance_minor, account.version
  ), written AS (
    INSERT INTO ledger_entries (transaction_id, organization_id, account_id, currency, amount_minor,
      balance_after, account_version)
    SELECT posted.id, posted.organization_id,
           coalesce(entry.account_id, platform_account_id(entry.kind, posted.currency)),
           posted.currency, entry.amount_minor, moved.balance_minor, moved.version
    FROM posted CROSS JOIN entry LEFT JOIN moved ON moved.id = entry.account_id
    RETURNING account_id, balance_after
  )
  SELECT entry.kind, written.balance_after AS balance
  FROM written LEFT JOIN entry ON entry.account_id = written.account_id`;

function parametersOf(id: string, wallet: LockedWallet, posting: Posting, at: Date): unknown[] {
  const accountIds: Partial<Readonly<Record<string, string>>> = wallet.accountIds;
  const entries = posting.entries.map(({ account, amountMinor }) => ({
    kind: account,
    account_id: accountIds[account] ?? null,
    amount_minor: String(amountMinor),
  }));
  return [
    JSON.stringify(entries),
    id,
    wallet.organizationId,
    posting.kind,
    posting.key,
    String(posting.amountMinor),
    wallet.currency,
    posting.sourceType,
    posting.sourceId,
    posting.reversesId ?? null,
    at.toISOString(),
  ];
}

async function earlier(em: EntityManager, wallet: LockedWallet, posting: Posting) {
  const [found] = await em.execute<{ id: string; isSame: boolean }[]>(
    `SELECT id, (organization_id, kind, amount_minor, source_type, source_id)
              = (?::uuid, ?, ?::bigint, ?, ?) AS "isSame"
     FROM ledger_transactions WHERE idempotency_key = ?`,
    [
      wallet.organizationId,
      posting.kind,
      String(posting.amountMinor),
      posting.sourceType,
      posting.sourceId,
      posting.key,
    ],
  );
  if (found?.isSame !== true) throw new LedgerKeyReused(posting.key);
  return { transactionId: found.id, wallet };
}

export class LedgerKeyReused extends Error {
  constructor(key: string) {
    super(`another posting has the key ${key}`);
    this.name = 'LedgerKeyReused';
  }
}

/** The database also rejects an unbalanced posting, but only at commit and without naming it. */
function requireBalanced({ key, amountMinor, entries }: Posting): void {
  const sum = entries.reduce((total, entry) => total + entry.amountMinor, 0n);
  const accounts = new Set(entries.map(entry => entry.account));
  if (amountMinor <= 0n || sum !== 0n || accounts.size !== entries.length || accounts.size < 2)
    throw new Error(`posting ${key} is not balanced`);
}
