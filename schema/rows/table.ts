// A table as ingest writes it into the spool: the columns of its rows in the order they are encoded,
// and the encoder's version. Both are written into every spool segment, so that rows encoded by an
// earlier release are still inserted right by a later one (inserts name their columns).

/** The RowBinary types our rows use; enough to walk over a row without knowing its table. */
export type ColumnType = 'UUID' | 'String' | "DateTime64(3, 'UTC')" | 'UInt16' | 'UInt32';

export type Column = { readonly name: string; readonly type: ColumnType };

export type Table = {
  /** Stable number of the table in spool frames; never re-used. */
  readonly id: number;
  readonly name: string;
  /** Which of the spool's readers takes its rows: the inserter, or the outbox into Postgres. */
  readonly destination: 'warehouse' | 'outbox';
  /** Goes up whenever `columns` or the meaning of their bytes changes. */
  readonly encoderVersion: number;
  /** In the order of encoding; the last two are `batch_id` and `batch_row`, which the spool adds. */
  readonly columns: readonly Column[];
  /**
   * The column that tells how a row is partitioned, so that a block stays within one partition
   * and is therefore one part: committed whole or not at all.
   */
  readonly partitionExpression: string | null;
};

export function columnsOf<const T extends Record<string, ColumnType>>(columns: T): Column[] {
  return Object.entries(columns).map(([name, type]) => ({ name, type }));
}
