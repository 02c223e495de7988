// Reads and deletes all rows of a workspace that match a condition, however many there are. For jobs and downloads,
// which may take minutes; reports use `ask`.
//
// A deletion is a mutation of ClickHouse: it rewrites the parts of the table that have such rows, and replaces
// each part at once, so a view shows no row twice meanwhile. `remove` resolves when the mutation is done.
//
// Statements name the tables of one server. On a cluster, the tables of all shards are read instead.

import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';

/** The rows of one workspace. Conditions may use the parameters and `{workspaceId:UUID}`. */
export type Maintenance = {
  /** The statement must filter by `workspace_id = {workspaceId:UUID}`. */
  rows<Row>(query: string, parameters?: Parameters): Promise<Row[]>;
  /** Yields each row as JSON text. */
  stream(query: string, parameters?: Parameters): AsyncIterable<string>;
  remove(table: string, condition: string, parameters?: Parameters): Promise<void>;
};

type Parameters = Readonly<Record<string, unknown>>;

/** A count reads whole columns of a workspace. */
const EXECUTION_SECONDS_MAX = 600;
/** Below the memory of a small server, because it runs beside reports and inserts. */
const MEMORY_BYTES_MAX = 2_000_000_000;
const THREADS_MAX = 2;
const REQUEST_TIMEOUT_MS = EXECUTION_SECONDS_MAX * 1000 + 5_000;
const POLL_MS = 200;

const READING = {
  readonly: '2',
  max_execution_time: EXECUTION_SECONDS_MAX,
  max_rows_to_read: '0',
  max_bytes_to_read: '0',
  max_result_rows: '0',
  max_result_bytes: '0',
  max_memory_usage: String(MEMORY_BYTES_MAX),
  max_threads: THREADS_MAX,
  wait_end_of_query: 0,
  output_format_json_quote_64bit_integers: 0,
  // A subquery over all shards runs once.
  distributed_product_mode: 'global',
} as const;

export function maintain(
  client: ClickHouseClient,
  workspaceId: string,
  filters: string,
  signal?: AbortSignal,
): Maintenance {
  let known: Promise<string | undefined> | undefined;
  const cluster = () => {
    known ??= clusterOf(client);
    return known;
  };
  const query = async (text: string, parameters: Parameters = {}) => {
    if (!text.includes('workspace_id = {workspaceId:UUID}'))
      throw new Error('the query must filter by workspace');
    return client.query({
      query: onAllShards(text, await cluster()),
      query_params: { ...parameters, workspaceId },
      format: 'JSONEachRow',
      clickhouse_settings: { ...READING, additional_table_filters: filters as never },
      abort_signal: signal ?? AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  };
  return {
    rows: async <Row>(text: string, parameters?: Parameters) =>
      (await query(text, parameters)).json<Row>(),
    async *stream(text, parameters) {
      const result = await query(text, parameters);
      for await (const rows of result.stream()) for (const row of rows) yield row.text;
    },
    async remove(table, condition, parameters = {}) {
      const name = await cluster();
      const onCluster = name === undefined ? '' : ` ON CLUSTER '${name}'`;
      await client.command({
        query: `ALTER TABLE ${table}${onCluster}
          DELETE WHERE workspace_id = {workspaceId:UUID} AND (${onAllShards(condition, name)})`,
        query_params: { ...parameters, workspaceId },
        clickhouse_settings: {
          readonly: '0',
          // Only queues the mutation, so a lost connection leaves nothing half done.
          mutations_sync: '0',
          // The condition may look into another table.
          allow_nondeterministic_mutations: 1,
        },
      });
      await untilDone(client, table, name, signal);
    },
  };
}

/** Undefined on a single server, which has no tables of all shards. */
async function clusterOf(client: ClickHouseClient): Promise<string | undefined> {
  const result = await client.query({
    query: `SELECT extract(engine_full, '^Distributed\\\\(\\'?([^\\',]+)') AS cluster FROM system.tables
      WHERE database = currentDatabase() AND name = 'events_raw_all'`,
    format: 'JSONEachRow',
  });
  const [row] = await result.json<{ cluster: string }>();
  return row?.cluster;
}

function onAllShards(text: string, cluster: string | undefined): string {
  return cluster === undefined ? text : text.replaceAll(/\bFROM (\w+)\b(?! *\()/g, 'FROM $1_all');
}

async function untilDone(
  client: ClickHouseClient,
  table: string,
  cluster: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const mutations =
    cluster === undefined
      ? 'system.mutations'
      : `clusterAllReplicas('${cluster}', system.mutations)`;
  for (;;) {
    const result = await client.query({
      query: `SELECT count() AS waiting, max(latest_fail_reason) AS failure FROM ${mutations}
        WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done`,
      query_params: { table },
      format: 'JSONEachRow',
    });
    const [row] = await result.json<{ waiting: number; failure: string }>();
    if (row === undefined || row.waiting === 0) return;
    if (row.failure !== '') throw new Error(`a mutation of ${table} is failing: ${row.failure}`);
    await wait(POLL_MS, undefined, signal && { signal });
  }
}
