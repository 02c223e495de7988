// What is compared and copied. The tables are those of erasures, so that a new table cannot be forgotten; columns and
// sort keys are those of the ClickHouse that is copied to, so that a new column cannot be forgotten either.

import { DAY_MS } from '../../schema/values/durations.ts';
import type { Transfer } from '../platform/warehouse/transfer.ts';
import { WAREHOUSE_TABLES } from '../privacy/warehouse-tables.ts';

/**
 * Events are in two tables: those that arrived late are moved to `events_late` when days are settled. Copies are inserted into
 * `events_raw` like new events, so each of them takes its place among the settled days of its new cell.
 */
const EVENTS = { table: 'events_raw', sources: ['events_raw', 'events_late'] };

export type MovedTable = {
  /** The table to insert into. */
  readonly table: string;
  /** The tables to read from. */
  readonly sources: readonly string[];
  /** What a query reads to get each row once: the view for events, else the table with FINAL. */
  readonly read: string;
  readonly time: string;
  /** A hash of the sort key, which identifies a row. */
  readonly key: string;
  /**
   * Of two rows with the same key, the one with the higher precedence is kept. 0 for events: the stored one is
   * kept.
   */
  readonly precedence: string;
  /** A hash of the whole row. */
  readonly content: string;
  /** The columns that are copied. */
  readonly columns: readonly string[];
  /** The times of rows with the same key are within one period of this length; undefined if they can be any. */
  readonly periodMs: number | undefined;
};

export async function movedTables(
  target: Pick<Transfer, 'shapeOf'>,
): Promise<readonly MovedTable[]> {
  const tables = WAREHOUSE_TABLES.filter(({ name }) => name !== 'events_late');
  return Promise.all(tables.map(({ name, time }) => describe(target, name, time)));
}

async function describe(
  target: Pick<Transfer, 'shapeOf'>,
  name: string,
  time: string,
): Promise<MovedTable> {
  const shape = await target.shapeOf(name);
  const columns = shape.columns.filter(column => !MADE_ON_ARRIVAL.has(column));
  const shown = columns.filter(column => !COLUMNS_OF_A_COPY.has(column));
  const isOfEvents = name === EVENTS.table;
  return {
    table: name,
    sources: isOfEvents ? EVENTS.sources : [name],
    read: isOfEvents ? 'events' : `${name} FINAL`,
    time,
    key: `cityHash64(${shape.sortKey})`,
    precedence: isOfEvents ? '0' : 'precedence',
    content: `cityHash64(${shown.join(', ')})`,
    columns,
    periodMs: isOfEvents ? DAY_MS : undefined,
  };
}

/** Has a different value in each ClickHouse. */
const MADE_ON_ARRIVAL: ReadonlySet<string> = new Set(['inserted_at']);
/** Describe the insert and not the row; the view does not have these columns. */
const COLUMNS_OF_A_COPY: ReadonlySet<string> = new Set(['batch_id', 'batch_row']);
