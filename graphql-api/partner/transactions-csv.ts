import { decimalOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import { cursorOf, PAGE_SIZE_MAX } from '../platform/database/page.ts';
import { reject } from '../platform/rejected.ts';
import { WALLET_ACCOUNTS } from './ledger/wallet.ts';
import {
  transactionsPage,
  type WalletTransaction,
  type WalletTransactionFilter,
} from './transaction.reads.ts';

/** About 2 MB. Clients with more transactions request one month at a time. */
const LINES_MAX = 10_000;
/** The cost of reading a full file, in addition to the cost of the request. */
const POINTS = 100;

const COLUMNS = [
  'id',
  'created_at',
  'kind',
  'amount',
  'currency',
  'source_type',
  'source_id',
  'reverses_id',
  ...WALLET_ACCOUNTS.map(account => account.toLowerCase()),
];

/**
 * All transactions that match the filter, newest first, with the changes of the wallet's accounts.
 */
export async function transactionsCsv(
  context: Context,
  filter: WalletTransactionFilter,
): Promise<Response> {
  takePoints(context);
  const lines = [COLUMNS.join(',')];
  let after: string | undefined;
  do {
    const { items, hasNextPage } = await transactionsPage(
      context,
      { first: PAGE_SIZE_MAX, after },
      filter,
    );
    lines.push(...items.map(lineOf));
    after = hasNextPage ? cursorOf(items.at(-1)!) : undefined;
    if (after !== undefined && lines.length > LINES_MAX)
      reject('REPORT_TOO_LARGE', {
        message: `There are more than ${LINES_MAX} transactions. Request a shorter range.`,
      });
  } while (after !== undefined);
  return new Response(`${lines.join('\r\n')}\r\n`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
      vary: 'Accept',
    },
  });
}

function takePoints({ deps, viewer }: Context): void {
  const { organizationId } = viewer ?? reject('UNAUTHENTICATED');
  const taken = deps.points.take(organizationId, POINTS, deps.clock.nowMs());
  if (!taken.isGranted)
    reject('THROTTLED', { facts: { retryAfterSeconds: taken.retryAfterSeconds } });
}

/**
 * All values are our own enum values, IDs and numbers. They need no quoting, and a spreadsheet
 * cannot interpret them as formulas.
 */
function lineOf(transaction: WalletTransaction): string {
  const { currency, entries } = transaction;
  const decimal = (amountMinor: bigint) => decimalOf({ amountMinor, currencyCode: currency });
  const changes = WALLET_ACCOUNTS.map(account => {
    const entry = entries.find(one => one.account === account);
    return entry === undefined ? '' : decimal(entry.amountMinor);
  });
  return [
    transaction.id,
    transaction.createdAt.toISOString(),
    transaction.kind,
    decimal(transaction.amountMinor),
    currency,
    transaction.sourceType,
    transaction.sourceId,
    transaction.reversesId ?? '',
    ...changes,
  ].join(',');
}
