// A table as ingest writes it to the spool: the columns in encoding order and the encoder's
// version. Every spool segment contains both, so a later release still inserts rows of an earlier
// one correctly (inserts name their columns).

/** The RowBinary types in use. They suffice to iterate over a row without knowing its table. */
export type ColumnType = 'UUID' | 'String' | "DateTime64(3, 'UTC')" | 'UInt16' | 'UInt32';

export type Column = { readonly name: string; readonly type: ColumnType };

export type Table = {
  /** The stable number of the table in spool frames; never reused. */
  readonly id: number;
  readonly name: string;
  /** The spool reader that processes the rows: the inserter or the outbox to Postgres. */
  readonly destination: 'warehouse' | 'outbox';
  /** Incremented whenever `columns` or the meaning of their bytes changes. */
  readonly encoderVersion: number;
  /** In encoding order. The last two are `batch_id` and `batch_row`, which the spool adds. */
  readonly columns: readonly Column[];
  /**
   * The column that determines the partition of a row. A block contains rows of one partition only,
   * so it becomes one part and is committed entirely or not at all.
   */
  readonly partitionExpression: string | null;
};

export function columnsOf<const T extends Record<string, ColumnType>>(columns: T): Column[] {
  return Object.entries(columns).map(([name, type]) => ({ name, type }));
}
