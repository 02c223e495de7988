// The only code that writes to the ledger.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import type { Posting } from './posting.ts';
import type { Balances, LockedWallet, WalletAccount } from './wallet.ts';

export type PostScope = {
  readonly em: EntityManager;
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

type Posted = {
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
  const at = new Date(deps.clock.nowMs());
  const rows = await rowsOf(em, statementOf(id, wallet, posting, at));
  if (rows.length === 0)
    return { transactionId: await earlierId(em, wallet, posting), wallet, isRepeat: true };
  const moved = rows.flatMap(({ kind, balance }) => (balance === null ? [] : [[kind, balance]]));
  const balances: Balances = { ...wallet.balances, ...Object.fromEntries(moved) };
  return { transactionId: id, wallet: { ...wallet, balances }, isRepeat: false };
}

function statementOf(id: string, wallet: LockedWallet, posting: Posting, at: Date) {
  const { organizationId, currency } = wallet;
  const { kind, key, amountMinor, sourceType, sourceId, reversesId = null } = posting;
  const accountIds: Partial<Readonly<Record<string, bigint>>> = wallet.accountIds;
  // JSON has no bigint.
  const entries = posting.entries.map(entry => ({
    kind: entry.account,
    account_id: accountIds[entry.account]?.toString(),
    amount_minor: String(entry.amountMinor),
  }));
  return sql<{ kind: WalletAccount | null; balance: bigint | null }>`
  WITH entry AS (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      AS entry (kind text, account_id bigint, amount_minor bigint)
  ), posted AS (
    INSERT INTO ledger_transactions (id, organization_id, kind, idempotency_key, amount_minor,
      currency, source_type, source_id, reverses_id, created_at)
    VALUES (${id}, ${organizationId}, ${kind}, ${key}, ${amountMinor}, ${currency}, ${sourceType},
      ${sourceId}, ${reversesId}, ${at})
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
}

async function earlierId(
  em: EntityManager,
  { organizationId }: LockedWallet,
  { kind, key, amountMinor, sourceType, sourceId }: Posting,
): Promise<string> {
  const same = { organizationId, kind, amountMinor, sourceType, sourceId };
  const earlier = await kysely(em)
    .selectFrom('ledger_transactions')
    .select('id')
    .where(eb => eb.and({ ...same, idempotencyKey: key }))
    .executeTakeFirst();
  if (earlier === undefined) throw new LedgerKeyReused(key);
  return earlier.id;
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
