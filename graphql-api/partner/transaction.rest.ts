import { createRoute, z } from '@hono/zod-openapi';
import type { CsvValue } from '../../schema/values/csv-line.ts';
import { DAY_MS } from '../../schema/values/durations.ts';
import { parseInstant } from '../../schema/values/instant.ts';
import type { Context } from '../platform/context.ts';
import { cursorOf, PAGE_SIZE_MAX } from '../platform/database/page.ts';
import { decimalOf, numberOf } from '../platform/money.ts';
import { reject } from '../platform/rejected.ts';
import { csvAnswer, prefersCsv } from '../platform/rest/csv.ts';
import {
  allow,
  errors,
  listAnswer,
  listOf,
  pageQuery,
  type RestApp,
} from '../platform/rest/rest-app.ts';
import { POSTING_KINDS } from './ledger/posting.ts';
import { WALLET_ACCOUNTS } from './ledger/wallet.ts';
import {
  transactionsPage,
  type WalletTransaction,
  type WalletTransactionFilter,
} from './transaction.reads.ts';
import { type TransactionResource, transactionResource } from './wallet.contract.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const query = pageQuery.extend({
  kind: z.string().optional().meta({
    description: 'Filters by kind. Separate several kinds with commas.',
    example: 'EARN_CREDIT,CLAW_BACK',
  }),
  from: z.string().optional().meta({
    description: 'Returns transactions posted at or after this time, or from this UTC date onward.',
    example: '2026-11-01',
  }),
  to: z.string().optional().meta({
    description:
      'Returns transactions posted before this time, or up to and including this UTC date.',
    example: '2026-11-30',
  }),
  format: z.enum(['json', 'csv']).optional().meta({
    description:
      'Set to `csv`, or send `Accept: text/csv`, to download all matching transactions as a file.',
    example: 'json',
  }),
});

export function transactionRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/referrals/transactions',
    tags: ['Wallet'],
    operationId: 'listTransactions',
    summary: 'List the wallet transactions, newest first',
    description:
      'Each transaction includes its entries, which are the changes to the wallet’s accounts. A CSV file contains all matching transactions. Fails with `REPORT_TOO_LARGE` (422) if a CSV file would contain more than 10,000 transactions.',
    middleware: allow('member'),
    request: { query },
    responses: {
      200: {
        description: 'A page of transactions, or a CSV file with all of them.',
        content: {
          'application/json': { schema: listOf(transactionResource) },
          'text/csv': { schema: z.string() },
        },
      },
      ...errors(400),
    },
  });
  app.openapi(list, async c => {
    const { limit, cursor, format, ...asked } = c.req.valid('query');
    const { context } = c.var;
    const filter = filterOf(asked);
    const isCsv = format === 'csv' || (format === undefined && prefersCsv(c));
    if (isCsv) return transactionsCsv(context, filter) as never;
    const page = await transactionsPage(context, { first: limit, after: cursor }, filter);
    c.header('Vary', 'Accept');
    return c.json(listAnswer(page, transactionAnswer), 200);
  });
}

type Asked = Pick<z.output<typeof query>, 'kind' | 'from' | 'to'>;

function filterOf({ kind, from, to }: Asked): WalletTransactionFilter {
  const named = kind?.split(',').map(name => name.trim());
  const kinds = POSTING_KINDS.filter(known => named?.includes(known));
  if (named !== undefined && kinds.length < new Set(named).size)
    reject('BAD_USER_INPUT', {
      field: ['kind'],
      message: `kind: must be one of ${POSTING_KINDS.join(', ')}.`,
    });
  return {
    kinds: named && kinds,
    since: from === undefined ? undefined : timeOf('from', from),
    until: to === undefined ? undefined : endOf(to),
  };
}

function timeOf(name: string, text: string): Date {
  const instant = parseInstant(text);
  if (instant !== undefined) return new Date(instant.ms);
  return reject('BAD_USER_INPUT', {
    field: [name],
    message: `${name}: must be a date or an ISO 8601 time.`,
  });
}

function endOf(to: string): Date {
  const time = timeOf('to', to);
  return DAY.test(to) ? new Date(time.getTime() + DAY_MS) : time;
}

function transactionAnswer(transaction: WalletTransaction): TransactionResource {
  const { currency } = transaction;
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: currency });
  return {
    id: transaction.id,
    kind: transaction.kind,
    amount: amount(transaction.amountMinor),
    currency,
    source_type: transaction.sourceType,
    source_id: transaction.sourceId,
    reverses_id: transaction.reversesId ?? null,
    created_at: transaction.createdAt.toISOString(),
    entries: transaction.entries.map(entry => ({
      account: entry.account,
      amount: amount(entry.amountMinor),
      balance_after: amount(entry.balanceAfterMinor),
    })),
  };
}

/** About 2 MB. Clients with more transactions request one month at a time. */
const CSV_ROWS_MAX = 10_000;
/** The cost of reading a full file, in addition to the cost of the request. */
const CSV_POINTS = 100;

const CSV_COLUMNS = [
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
async function transactionsCsv(
  context: Context,
  filter: WalletTransactionFilter,
): Promise<Response> {
  takePoints(context);
  const rows: CsvValue[][] = [];
  let after: string | undefined;
  do {
    const page = { first: PAGE_SIZE_MAX, after };
    const { items, hasNextPage } = await transactionsPage(context, page, filter);
    rows.push(...items.map(csvRowOf));
    after = hasNextPage ? cursorOf(items.at(-1)!) : undefined;
    if (after !== undefined && rows.length >= CSV_ROWS_MAX)
      reject('REPORT_TOO_LARGE', {
        message: `There are more than ${CSV_ROWS_MAX} transactions. Request a shorter range.`,
      });
  } while (after !== undefined);
  return csvAnswer('transactions.csv', { columns: CSV_COLUMNS, rows });
}

function takePoints({ deps, viewer }: Context): void {
  const { organizationId } = viewer ?? reject('UNAUTHENTICATED');
  const taken = deps.points.take(organizationId, CSV_POINTS, deps.clock.nowMs());
  if (!taken.isGranted)
    reject('THROTTLED', { facts: { retryAfterSeconds: taken.retryAfterSeconds } });
}

function csvRowOf(transaction: WalletTransaction): CsvValue[] {
  const { currency, entries } = transaction;
  const decimal = (amountMinor: bigint) => decimalOf({ amountMinor, currencyCode: currency });
  const changes = WALLET_ACCOUNTS.map(account => {
    const entry = entries.find(one => one.account === account);
    return entry === undefined ? null : decimal(entry.amountMinor);
  });
  return [
    transaction.id,
    transaction.createdAt.toISOString(),
    transaction.kind,
    decimal(transaction.amountMinor),
    currency,
    transaction.sourceType,
    transaction.sourceId,
    transaction.reversesId ?? null,
    ...changes,
  ];
}
