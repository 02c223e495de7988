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

type Columns = Readonly<Record<string, ColumnType>>;
type Options = Partial<Pick<Table, 'encoderVersion' | 'partitionExpression'>>;

/** A table whose rows are inserted into ClickHouse. */
export function warehouseTable(id: number, name: string, columns: Columns, options?: Options) {
  return table('warehouse', id, name, columns, options);
}

/** A table whose rows become rows of Postgres. */
export function outboxTable(id: number, name: string, columns: Columns, options?: Options) {
  return table('outbox', id, name, columns, options);
}

function table(
  destination: Table['destination'],
  id: number,
  name: string,
  columns: Columns,
  options?: Options,
): Table {
  const all = Object.entries({ ...columns, batch_id: 'UUID', batch_row: 'UInt32' } as Columns);
  return {
    id,
    name,
    destination,
    encoderVersion: 1,
    partitionExpression: null,
    columns: all.map(([column, type]) => ({ name: column, type })),
    ...options,
  };
}
