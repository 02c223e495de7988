// Compares the rows of a workspace in two cells, and copies to the target what it lacks. This one operation
// serves as the first copy (of everything, to an empty cell), as the copy of what has arrived since, and as the
// verification (that nothing is missing). It keeps no position: a range that is equal in both cells costs two
// counts, so a pass that was interrupted is simply begun again.
//
// A range is equal if both cells have as many rows in it, with the same checksum. Otherwise each row of the
// source is looked for in the target by its key: the target may have newer rows, and a row may have been
// replaced there.

import { HOUR_MS } from '../../schema/values/durations.ts';
import type { Maintenance } from '../platform/warehouse/maintenance.ts';
import type { Transfer } from '../platform/warehouse/transfer.ts';
import { type MovedTable, movedTables } from './moved-tables.ts';

/** The result of a pass for one table. */
export type TableReport = {
  readonly table: string;
  /** In the source. */
  readonly rows: number;
  /** Not in the target before they were copied. */
  readonly missing: number;
};

type Pass = {
  /** Only rows from this time on. */
  readonly sinceMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Called after each range. */
  readonly onRange: (compared: number, copied: number) => Promise<void>;
};

/** The rows of one insert: about 150 MB, and one block. */
const RANGE_ROWS_MAX = 200_000;
/**
 * With more, the whole range is copied, since a repeated copy does no harm. The statement of a copy has the
 * keys once for each source, and must be shorter than 256 KiB.
 */
const KEYS_MAX = 5_000;

export async function compareCells(transfer: Transfer, pass: Pass): Promise<TableReport[]> {
  const reports: TableReport[] = [];
  for (const table of await movedTables(transfer)) {
    let [rows, missing] = [0, 0];
    for (const range of await rangesOf(transfer.source, table, pass.sinceMs)) {
      pass.signal.throwIfAborted();
      const found = await compareRange(transfer, table, range);
      rows += found.rows;
      missing += found.missing;
      await pass.onRange(found.rows, found.missing);
    }
    reports.push({ table: table.table, rows, missing });
  }
  return reports;
}

/** From one hour up to another, or one of several slices of a busy hour. */
type Range = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly slice: number;
  readonly slices: number;
};

type Found = { readonly rows: number; readonly missing: number };

/** Hours with few rows share a range. The newest come first, because analysts look for them first. */
async function rangesOf(
  source: Maintenance,
  { sources, time }: MovedTable,
  sinceMs = 0,
): Promise<readonly Range[]> {
  const hours = new Map<number, number>();
  for (const name of sources) {
    const found = await source.rows<{ hour: number; rows: number }>(
      `SELECT intDiv(toUnixTimestamp64Milli(${time}), ${HOUR_MS}) AS hour, count() AS rows FROM ${name}
       WHERE workspace_id = {workspaceId:UUID} AND ${time} >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
       GROUP BY hour`,
      { sinceMs },
    );
    for (const { hour, rows } of found) hours.set(hour, (hours.get(hour) ?? 0) + rows);
  }
  return groupHours([...hours].toSorted(([a], [b]) => a - b)).toReversed();
}

/** `hours` in ascending order, with their rows. */
export function groupHours(hours: readonly (readonly [number, number])[]): Range[] {
  const ranges: Range[] = [];
  let rowsOfLast = Number.POSITIVE_INFINITY;
  for (const [hour, rows] of hours) {
    const toMs = (hour + 1) * HOUR_MS;
    if (rowsOfLast + rows <= RANGE_ROWS_MAX) {
      rowsOfLast += rows;
      ranges.push({ ...ranges.pop()!, toMs });
      continue;
    }
    rowsOfLast = rows;
    const slices = Math.ceil(rows / RANGE_ROWS_MAX);
    for (let slice = 0; slice < slices; slice++)
      ranges.push({ fromMs: hour * HOUR_MS, toMs, slice, slices });
  }
  return ranges;
}

async function compareRange(transfer: Transfer, table: MovedTable, range: Range): Promise<Found> {
  const { source, target } = transfer;
  if ((await countStored(target, table, range)) === 0) {
    const rows = await countStored(source, table, range);
    await copy(transfer, table, range);
    return { rows, missing: rows };
  }
  const [here, there] = await Promise.all([
    checksum(source, table, range),
    checksum(target, table, range),
  ]);
  if (here.rows === there.rows && here.sum === there.sum) return { rows: here.rows, missing: 0 };
  const missing = await missingKeys(transfer, table, range);
  if (missing.length > KEYS_MAX) await copy(transfer, table, range);
  else if (missing.length > 0) await copy(transfer, table, range, missing);
  return { rows: here.rows, missing: missing.length };
}

async function countStored(
  cell: Maintenance,
  { sources, ...table }: MovedTable,
  range: Range,
): Promise<number> {
  let stored = 0;
  for (const name of sources) {
    const [counted] = await cell.rows<{ rows: number }>(
      `SELECT count() AS rows FROM ${name} WHERE ${isIn(table)}`,
      range,
    );
    stored += Number(counted?.rows ?? 0);
  }
  return stored;
}

async function checksum(cell: Maintenance, table: MovedTable, range: Range) {
  const [sum] = await cell.rows<{ rows: number; sum: string }>(
    `SELECT count() AS rows, toString(sum(${table.content})) AS sum FROM ${table.read} WHERE ${isIn(table)}`,
    range,
  );
  return { rows: Number(sum?.rows ?? 0), sum: sum?.sum };
}

type Key = { readonly key: string; readonly precedence: string };

async function missingKeys(
  { source, target }: Transfer,
  table: MovedTable,
  range: Range,
): Promise<readonly string[]> {
  const question = `SELECT toString(${table.key}) AS key, toString(${table.precedence}) AS precedence
    FROM ${table.read} WHERE ${isIn(table)}`;
  const [here, there] = await Promise.all([
    source.rows<Key>(question, range),
    target.rows<Key>(question, range),
  ]);
  const absent = without(here, there);
  if (absent.length === 0 || absent.length > KEYS_MAX) return absent.map(({ key }) => key);
  return without(absent, await lookUp(target, table, range, absent)).map(({ key }) => key);
}

/** Those that are not in `stored`, or only with a lower precedence. */
function without(keys: readonly Key[], stored: readonly Key[]): readonly Key[] {
  const highest = new Map(stored.map(({ key, precedence }) => [key, BigInt(precedence)]));
  return keys.filter(({ key, precedence }) => {
    const known = highest.get(key);
    return known === undefined || known < BigInt(precedence);
  });
}

/** Also outside of the range: the row that the target has under a key may have another time. */
async function lookUp(
  target: Maintenance,
  { sources, key, precedence, time, periodMs }: MovedTable,
  { fromMs, toMs }: Range,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  const found: Key[] = [];
  const isNear =
    periodMs === undefined
      ? '1'
      : `${time} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') AND ${time} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;
  const parameters = {
    keys: keys.map(({ key }) => BigInt(key)),
    ...(periodMs !== undefined && {
      fromMs: Math.floor(fromMs / periodMs) * periodMs,
      toMs: Math.ceil(toMs / periodMs) * periodMs,
    }),
  };
  for (const name of sources) {
    const rows = await target.rows<Key>(
      `SELECT toString(${key} AS hash) AS key, toString(max(${precedence})) AS precedence FROM ${name}
       WHERE workspace_id = {workspaceId:UUID} AND ${isNear} AND hash IN {keys:Array(UInt64)} GROUP BY hash`,
      parameters,
    );
    found.push(...rows);
  }
  return found;
}

async function copy(
  transfer: Transfer,
  { table, sources, columns, ...rest }: MovedTable,
  range: Range,
  keys?: readonly string[],
): Promise<void> {
  // In the statement: the client would put parameters of a stream into the URL.
  const isWanted = keys === undefined ? '' : ` AND ${rest.key} IN (${keys.map(BigInt).join()})`;
  const selects = sources.map(
    name => `SELECT ${columns.join(', ')} FROM ${name} WHERE ${isIn(rest)}${isWanted}`,
  );
  await transfer.copy({
    select: selects.join(' UNION ALL '),
    parameters: range,
    table,
    columns,
  });
}

function isIn({ time, key }: Pick<MovedTable, 'time' | 'key'>): string {
  return `workspace_id = {workspaceId:UUID}
    AND ${time} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') AND ${time} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    AND ${key} % {slices:UInt32} = {slice:UInt32}`;
}
