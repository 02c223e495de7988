// Reads the rows of a workspace in two ClickHouses, and copies them from one to the other as a stream in ClickHouse's
// binary format. Ingest inserted these rows; a copy has the same identity, so a view shows it once however often it was
// copied. Therefore no deduplication token is used: it would also suppress the copy of a row that was deleted since.

import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { type Maintenance, maintain } from './maintenance.ts';
import { workspaceFilters } from './workspace-filters.ts';

export type Transfer = {
  readonly source: Maintenance;
  readonly target: Maintenance;
  /** A table of the target: the columns that an insert may name, and its sort key. */
  shapeOf(table: string): Promise<TableShape>;
  /** The parts of a table of the source. What is inserted later is in others. */
  partsOf(table: string): Promise<readonly string[]>;
  copy(rows: RowsToCopy): Promise<void>;
};

type TableShape = { readonly columns: readonly string[]; readonly sortKey: string };

type RowsToCopy = {
  /** Filters by `workspace_id = {workspaceId:UUID}`. */
  readonly select: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly table: string;
  /** Those of the SELECT, in its order. The others get their defaults. */
  readonly columns: readonly string[];
};

type Ends = { readonly from: ClickHouseClient; readonly to: ClickHouseClient };

const SELECT_SETTINGS: ClickHouseSettings = {
  readonly: '2',
  max_rows_to_read: '0',
  max_bytes_to_read: '0',
  max_result_rows: '0',
  max_result_bytes: '0',
  // The whole result before its first byte: a failure is a status, never text behind some rows.
  wait_end_of_query: 1,
};
/** One block, so a stream that breaks off inserts nothing. */
const INSERT_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  insert_deduplicate: 0,
  max_insert_block_size: '1048449',
  min_insert_block_size_rows: '1048449',
  min_insert_block_size_bytes: '0',
  input_format_parallel_parsing: 0,
  max_partitions_per_insert_block: '0',
  wait_end_of_query: 1,
};

export function openTransfer(ends: Ends, workspaceId: string, signal: AbortSignal): Transfer {
  const filters = workspaceFilters(workspaceId);
  return {
    source: maintain(ends.from, workspaceId, filters, signal),
    target: maintain(ends.to, workspaceId, filters, signal),
    shapeOf: table => shapeOf(ends.to, table),
    partsOf: table => partsOf(ends.from, table),
    copy: ({ parameters, ...rows }) =>
      copyRows(ends, { ...rows, parameters: { ...parameters, workspaceId } }, filters, signal),
  };
}

async function copyRows(
  { from, to }: Ends,
  { select, parameters, table, columns }: RowsToCopy,
  filters: string,
  signal: AbortSignal,
): Promise<void> {
  const { stream } = await from.exec({
    query: `${select} FORMAT RowBinary`,
    query_params: parameters,
    clickhouse_settings: { ...SELECT_SETTINGS, additional_table_filters: filters as never },
    abort_signal: signal,
  });
  try {
    const inserted = await to.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
      values: stream,
      clickhouse_settings: INSERT_SETTINGS,
      abort_signal: signal,
    });
    inserted.stream.resume();
  } finally {
    stream.destroy();
  }
}

async function shapeOf(client: ClickHouseClient, table: string): Promise<TableShape> {
  const result = await client.query({
    query: `SELECT arrayMap(column -> column.2, arraySort(groupArray((position, name)))) AS columns,
        (SELECT sorting_key FROM system.tables WHERE database = currentDatabase() AND name = {table:String}) AS sortKey
      FROM system.columns
      WHERE database = currentDatabase() AND table = {table:String} AND default_kind IN ('', 'DEFAULT')`,
    query_params: { table },
    format: 'JSONEachRow',
  });
  const [shape] = await result.json<TableShape>();
  if (!shape?.sortKey) throw new Error(`the destination ClickHouse has no table ${table}`);
  return shape;
}

async function partsOf(client: ClickHouseClient, table: string): Promise<readonly string[]> {
  const result = await client.query({
    query: `SELECT name FROM system.parts
      WHERE database = currentDatabase() AND table = {table:String} AND active`,
    query_params: { table },
    format: 'JSONEachRow',
  });
  return (await result.json<{ name: string }>()).map(({ name }) => name);
}
