import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import type { PostingKind } from './ledger/posting.ts';
import { LedgerTransaction } from './ledger/transaction.entity.ts';
import type { WalletAccount } from './ledger/wallet.ts';

/** A ledger transaction with its changes of the wallet's balances. */
export type WalletTransaction = LedgerTransaction & { readonly entries: readonly WalletEntry[] };

export type WalletEntry = {
  readonly account: WalletAccount;
  /** Credits are positive, debits negative. */
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
};

export type WalletTransactionFilter = {
  readonly kinds?: readonly PostingKind[] | null | undefined;
  /** Inclusive. */
  readonly since?: Date | null | undefined;
  /** Exclusive. */
  readonly until?: Date | null | undefined;
};

export async function transactionsPage(
  context: Context,
  page: PageRequest,
  filter: WalletTransactionFilter,
): Promise<Page<WalletTransaction>> {
  return walletTransactions(await context.read(), organizationOf(context), filter, page);
}

export async function transactionsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly WalletTransaction[]> {
  const organizationId = organizationOf(context);
  const em = await context.read();
  const found = await em.find(LedgerTransaction, { id: { $in: [...ids] }, organizationId });
  return withEntries(em, organizationId, found);
}

function organizationOf({ viewer }: Context): string {
  return (viewer ?? reject('UNAUTHENTICATED')).organizationId;
}

export async function walletTransactions(
  em: EntityManager,
  organizationId: string,
  { kinds, since, until }: WalletTransactionFilter,
  page: PageRequest,
): Promise<Page<WalletTransaction>> {
  const where: FilterQuery<LedgerTransaction> = {
    organizationId,
    ...(kinds && { kind: { $in: [...kinds] } }),
    ...((since || until) && {
      createdAt: { ...(since && { $gte: since }), ...(until && { $lt: until }) },
    }),
  };
  const { items, hasNextPage } = await readPage(em, LedgerTransaction, where, page);
  return { hasNextPage, items: await withEntries(em, organizationId, items) };
}

async function withEntries(
  em: EntityManager,
  organizationId: string,
  transactions: readonly LedgerTransaction[],
): Promise<WalletTransaction[]> {
  if (transactions.length === 0) return [];
  const rows = await rowsOf(
    em,
    sql<WalletEntry & { readonly transactionId: string }>`
      SELECT entry.transaction_id, account.kind AS account, entry.amount_minor,
             entry.balance_after AS balance_after_minor
      FROM ledger_entries entry JOIN ledger_accounts account ON account.id = entry.account_id
      WHERE entry.organization_id = ${organizationId} AND account.wallet_id IS NOT NULL
        AND entry.transaction_id = ANY (${transactions.map(({ id }) => id)}::uuid[])
      ORDER BY entry.account_id`,
  );
  const entries = Map.groupBy(rows, ({ transactionId }) => transactionId);
  return transactions.map(transaction => {
    const own = entries.get(transaction.id) ?? [];
    return Object.assign(transaction, {
      entries: own.map(({ account, amountMinor, balanceAfterMinor }) => ({
        account,
        amountMinor,
        balanceAfterMinor,
      })),
    });
  });
}
