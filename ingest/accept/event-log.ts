import type { RowWriter } from '../../schema/rows/row-writer.ts';
import type { Table } from '../../schema/rows/table.ts';

/**
 * Where the accepted rows of a cell go: the spool on this node's disk, or a replicated log. Both
 * add the last two columns of each row: the ID of the segment or record, and the row's number in
 * it.
 */
export type EventLog = {
  /** Appends a frame with one row per item. `encodeRow` writes all columns except the last two. */
  append<Item>(
    table: Table,
    partition: number,
    items: readonly Item[],
    encodeRow: (writer: RowWriter, item: Item) => void,
  ): void;
  /** Appends a frame of `rows` rows. `encodeRows` writes all columns. */
  appendRows(
    table: Table,
    partition: number,
    rows: number,
    encodeRows: (writer: RowWriter, segmentIdBytes: Uint8Array, firstRow: number) => void,
  ): void;
  /**
   * Resolves when every frame appended so far is durable; rejects with NotDurable if that is not
   * certain. Called in the same turn of the event loop as the appends.
   */
  commit(): Promise<void>;
};
