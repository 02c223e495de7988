import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import type { PostingKind, SourceType } from './ledger/posting.ts';
import { LedgerTransaction } from './ledger/transaction.entity.ts';
import type { WalletAccount } from './ledger/wallet.ts';

/** A ledger transaction with its changes of the wallet's balances. */
export type WalletTransaction = {
  readonly id: string;
  readonly kind: PostingKind;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly sourceType: SourceType;
  readonly sourceId: string;
  readonly reversesId: string | null;
  readonly createdAt: Date;
  readonly entries: readonly WalletEntry[];
};

export type WalletEntry = {
  readonly account: WalletAccount;
  /** Credits are positive, debits negative. */
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
};

export type WalletTransactionFilter = {
  readonly kinds?: readonly PostingKind[] | undefined;
  readonly sourceType?: SourceType | undefined;
  readonly sourceId?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
};

export async function walletTransactions(
  em: EntityManager,
  organizationId: string,
  filter: WalletTransactionFilter,
  page: PageRequest,
): Promise<Page<WalletTransaction>> {
  const { items, hasNextPage } = await readPage(
    em,
    LedgerTransaction,
    conditionOf(organizationId, filter),
    page,
  );
  return { hasNextPage, items: await withEntries(em, organizationId, items) };
}

/** Loads the transactions with these IDs that belong to the organization. */
export async function walletTransactionsByIds(
  em: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly WalletTransaction[]> {
  const found = await em.find(LedgerTransaction, { id: { $in: [...ids] }, organizationId });
  return withEntries(em, organizationId, found);
}

async function withEntries(
  em: EntityManager,
  organizationId: string,
  transactions: readonly LedgerTransaction[],
): Promise<WalletTransaction[]> {
  const entries = await entriesById(em, organizationId, transactions);
  return transactions.map(transaction => ({
    id: transaction.id,
    kind: transaction.kind as PostingKind,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    sourceType: transaction.sourceType as SourceType,
    sourceId: transaction.sourceId,
    reversesId: transaction.reversesId ?? null,
    createdAt: transaction.createdAt,
    entries: entries.get(transaction.id) ?? [],
  }));
}

function conditionOf(
  organizationId: string,
  { kinds, sourceType, sourceId, since, until }: WalletTransactionFilter,
): FilterQuery<LedgerTransaction> {
  return {
    organizationId,
    ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
    ...(sourceType === undefined ? {} : { sourceType }),
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(since === undefined && until === undefined
      ? {}
      : {
          createdAt: {
            ...(since === undefined ? {} : { $gte: since }),
            ...(until === undefined ? {} : { $lt: until }),
          },
        }),
  };
}

type EntryRow = { transaction_id: string; kind: WalletAccount; amount: string; after: string };

async function entriesById(
  em: EntityManager,
  organizationId: string,
  transactions: readonly { readonly id: string }[],
): Promise<Map<string, WalletEntry[]>> {
  const byId = new Map<string, WalletEntry[]>();
  if (transactions.length === 0) return byId;
  const rows = await em.execute<EntryRow[]>(
    `SELECT entry.transaction_id, account.kind, entry.amount_minor AS amount,
            entry.balance_after AS after
     FROM ledger_entries entry JOIN ledger_accounts account ON account.id = entry.account_id
     WHERE entry.organization_id = ? AND account.wallet_id IS NOT NULL
       AND entry.transaction_id = ANY (?::uuid[])
     ORDER BY entry.account_id`,
    [organizationId, `{${transactions.map(({ id }) => id).join(',')}}`],
  );
  for (const { transaction_id, kind, amount, after } of rows) {
    const list = byId.get(transaction_id) ?? [];
    byId.set(transaction_id, list);
    list.push({
      account: kind,
      amountMinor: BigInt(amount),
      balanceAfterMinor: BigInt(after),
    });
  }
  return byId;
}
