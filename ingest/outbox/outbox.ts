// The second reader of the spool: writes to Postgres the rows that the control plane acts on. Each
// table has one writer, an idempotent statement for many rows, because a crash repeats it. The IDs
// of the rows derive from their content, never from the attempt.

import pg from 'pg';
import { OUTBOX_CONTACT_UPDATES } from '../../schema/rows/outbox-contact-updates.ts';
import { OUTBOX_EXPOSURES } from '../../schema/rows/outbox-exposures.ts';
import { OUTBOX_OUTBOUND_EVENTS } from '../../schema/rows/outbox-outbound-events.ts';
import { PostgresUnavailable } from '../postgres/grouped-statement.ts';
import { isRefusalOfData } from '../postgres/refusal-of-data.ts';
import type { PostgresClient } from '../postgres/statement.ts';
import type { Frame } from '../spool/frame.ts';
import { wholeOf } from '../spool/read-payloads.ts';
import type { SegmentContents } from '../spool/read-segment.ts';
import type { SegmentTable } from '../spool/segment-header.ts';
import { readRow, splitRows } from '../spool/split-rows.ts';
import { writeContacts } from './write-contacts.ts';
import { writeExposures } from './write-exposures.ts';
import { writeOutboundEvents } from './write-outbound-events.ts';

/** Values by column name, as returned by `readRow`. */
export type OutboxRow = Readonly<Record<string, string | number>>;

type WriteRows = (client: PostgresClient, rows: readonly OutboxRow[]) => Promise<void>;

export type OutboxDeps = {
  /** Undefined while disconnected. */
  readonly client: () => PostgresClient | undefined;
  readonly onWritten: (table: string, rows: number) => void;
  /** Called with a row that Postgres permanently rejects. Its source event is in the warehouse. */
  readonly onRefused: (table: string, row: OutboxRow, error: Error) => void;
};

const WRITERS: ReadonlyMap<number, WriteRows> = new Map([
  [OUTBOX_CONTACT_UPDATES.id, writeContacts],
  [OUTBOX_EXPOSURES.id, writeExposures],
  [OUTBOX_OUTBOUND_EVENTS.id, writeOutboundEvents],
]);
/** Limits the parameters and the locks of a statement. */
const ROWS_PER_STATEMENT = 1_000;

/** Resolves once every row of the segment is applied; rejects with PostgresUnavailable if that is not certain. */
export async function writeOutbox(contents: SegmentContents, deps: OutboxDeps): Promise<void> {
  for (const table of contents.header.tables) {
    if (table.destination !== 'outbox') continue;
    const frames = contents.frames.filter(frame => frame.tableId === table.id);
    if (frames.length === 0) continue;
    const write = WRITERS.get(table.id);
    // The segment was written by a later release, before a downgrade. It waits for that release.
    if (write === undefined) throw new Error(`No writer for outbox table ${table.name}.`);
    let rows: OutboxRow[] = [];
    for (const few of fewAtATime(frames)) {
      rows = rows.concat(await readRows(contents, few, table));
      for (; rows.length >= ROWS_PER_STATEMENT; rows = rows.slice(ROWS_PER_STATEMENT))
        await writeRows(table.name, write, rows.slice(0, ROWS_PER_STATEMENT), deps);
    }
    if (rows.length > 0) await writeRows(table.name, write, rows, deps);
  }
}

/**
 * Batches of frames with about as many rows as a statement, because a segment may not fit into
 * memory.
 */
function* fewAtATime(frames: readonly Frame[]): Generator<readonly Frame[]> {
  let few: Frame[] = [];
  let rows = 0;
  for (const frame of frames) {
    few.push(frame);
    rows += frame.rows;
    if (rows < ROWS_PER_STATEMENT) continue;
    yield few;
    few = [];
    rows = 0;
  }
  if (few.length > 0) yield few;
}

async function readRows(
  contents: SegmentContents,
  frames: readonly Frame[],
  { columns }: Pick<SegmentTable, 'columns'>,
): Promise<OutboxRow[]> {
  const payload = await wholeOf(contents.payloadsOf(frames));
  return splitRows([payload], columns).map(row => readRow(row, columns));
}

async function writeRows(
  table: string,
  write: WriteRows,
  rows: readonly OutboxRow[],
  deps: OutboxDeps,
): Promise<void> {
  const client = deps.client();
  if (client === undefined) throw new PostgresUnavailable('Not connected to Postgres.');
  try {
    await write(client, rows);
    deps.onWritten(table, rows.length);
  } catch (error) {
    const isRefused = isRefusalOfData(error);
    if (!isRefused && !(isOutOfTime(error) && rows.length > 1))
      throw new PostgresUnavailable(String(error), { cause: error });
    if (isRefused && rows.length === 1) {
      deps.onRefused(table, rows[0]!, error);
      return;
    }
    // Halves the rows until the rejected row is alone, so that few statements are needed for the
    // others. The same applies to rows that exceed the timeout together: they would do so on every
    // retry and block the log forever.
    const half = Math.ceil(rows.length / 2);
    await writeRows(table, write, rows.slice(0, half), deps);
    await writeRows(table, write, rows.slice(half), deps);
  }
}

/** The timeout of the statement; the connection is still usable. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const QUERY_CANCELED = '57014';
