// Keyset pagination of ClickHouse rows, newest first. A cursor contains the sort key of the last row, so that
// rows that arrive in between neither repeat nor hide a row.

import type { Context } from '../context.ts';
import { type Page, type PageRequest, requirePageSize } from '../database/page.ts';
import { reject } from '../rejected.ts';
import { ask } from './ask.ts';
import {
  LIST_DAYS_MAX,
  newestFirst,
  type RangeMs,
  type ReportRange,
  requireRange,
  within,
} from './report-range.ts';

/** The time of a row, and the keys that order rows of the same millisecond. */
type Position = { readonly atMs: number; readonly keys: readonly string[] };

/** Three strings of 512 characters, with the longest encoding. */
const CURSOR_LENGTH_MAX = 16_384;

export function encodeCursor({ atMs, keys }: Position): string {
  return Buffer.from(JSON.stringify([atMs, ...keys])).toString('base64url');
}

function decodeCursor(cursor: string, keyCount: number): Position {
  const [atMs, ...keys] = cursor.length > CURSOR_LENGTH_MAX ? [] : parse(cursor);
  const isSound =
    Number.isSafeInteger(atMs) &&
    keys.length === keyCount &&
    keys.every(key => typeof key === 'string' && key.isWellFormed() && !key.includes('\0'));
  if (!isSound) return reject('INVALID_PAGE', { field: ['after'] });
  return { atMs: atMs as number, keys: keys as string[] };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Reads a page. `read` returns up to `limit` rows of a part of the range, newest first, after a
 * position if one is given. Parts are read one by one until the page is full.
 */
export async function keysetPage<T>(
  range: RangeMs,
  { first, after }: PageRequest,
  keyCount: number,
  read: (part: RangeMs, after: Position | undefined, limit: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  requirePageSize(first);
  const position = after == null ? undefined : decodeCursor(after, keyCount);
  const toMs = Math.min(range.toMs, position === undefined ? range.toMs : position.atMs + 1);
  const rows: T[] = [];
  for (const part of newestFirst({ fromMs: range.fromMs, toMs })) {
    rows.push(...(await read(part, position, first + 1 - rows.length)));
    if (rows.length > first) break;
  }
  return { items: rows.slice(0, first), hasNextPage: rows.length > first };
}

export type ListInput = PageRequest & { readonly range: ReportRange };

type List = {
  readonly columns: string;
  readonly view: string;
  /** Columns: the time, and text columns that distinguish rows of the same millisecond. */
  readonly order: readonly [time: string, ...keys: string[]];
  /** Each begins with AND. */
  readonly conditions: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A page of the rows of a view whose time is within the range. */
export async function listPage<Row>(
  context: Context,
  input: ListInput,
  { columns, view, order, conditions, parameters }: List,
): Promise<Page<Row>> {
  const range = requireRange(input.range, LIST_DAYS_MAX);
  const [time, ...keys] = order;
  const names = keys.map((_, at) => `after${at}`);
  const last = names.map(name => `{${name}:String}`);
  const isAfter = `AND (${order.join()})
    < (fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC'), ${last.join()})`;
  return keysetPage<Row>(range, input, keys.length, (part, after, limit) =>
    ask<Row>(
      context,
      `SELECT ${columns} FROM ${view}
       WHERE workspace_id = {workspaceId:UUID} AND ${within(time)} ${conditions}
         ${after ? isAfter : ''}
       ORDER BY ${order.map(column => `${column} DESC`).join()} LIMIT {limit:UInt32}`,
      {
        ...part,
        ...parameters,
        afterMs: after?.atMs,
        ...Object.fromEntries(names.map((name, at) => [name, after?.keys[at]])),
        limit,
      },
    ),
  );
}
