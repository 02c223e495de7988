import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { allAddresses } from '../schema/environment/clickhouse-addresses.ts';
import { renderForCluster, splitStatements } from './clickhouse-sql.ts';
import { requireShardOrder } from './shard-order.ts';
import { type AppliedFile, label, pendingFiles, type SqlFile } from './sql-files.ts';
import type { TableSizes } from './table-sizes.ts';

/** A statement ON CLUSTER waits for every node. */
const STATEMENT_TIMEOUT_MS = 5 * 60_000;
/** The server reports progress meanwhile, so that no proxy closes the connection as idle. */
const PROGRESS_INTERVAL_MS = '20000';

/** `url`: as in schema/environment/clickhouse-addresses.ts. */
export type ClickHouseTarget = { cell: string; url: string; cluster: string | undefined };

/**
 * Applies the pending migrations of a cell's ClickHouse. Its DDL has no transactions: a file
 * without a record may have been applied in part, so every statement must be repeatable (IF NOT
 * EXISTS) and the record is written last. The caller holds the lock.
 */
export async function migrateClickHouse(
  target: ClickHouseTarget,
  files: readonly SqlFile[],
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = `ClickHouse of cell ${target.cell}`;
  await requireShardOrder(target, connect);
  const url = await reachableAddress(target.url);
  await ensureDatabase({ ...target, url }, signal);
  const client = connect(url);
  try {
    const run = (sql: string) =>
      runStatement(client, renderForCluster(sql, target.cluster), signal);
    await run(RECORDS_TABLE);
    const applied = await readRecords(client, target.cluster, signal);
    const pending = pendingFiles(files, applied, where);
    for (const file of pending) {
      for (const statement of splitStatements(renderForCluster(file.text, target.cluster))) {
        await runStatement(client, statement, signal).catch((error: unknown) => {
          throw new Error(`${where}: ${label(file)} failed: ${(error as Error).message}`, {
            cause: error,
          });
        });
      }
      await client.insert({
        table: 'schema_migrations',
        columns: ['version', 'name', 'checksum'],
        values: [{ version: file.version, name: file.name, checksum: file.checksum }],
        format: 'JSONEachRow',
        ...abortedBy(signal),
      });
      log(`${where}: applied ${label(file)}`);
    }
    if (pending.length === 0) log(`${where}: up to date`);
  } finally {
    await client.close();
  }
}

export type ClickHouseState = {
  readonly applied: readonly AppliedFile[];
  readonly sizes: TableSizes;
};

/** The records of the applied files, and the tables; empty if no migration was ever applied. */
export async function readClickHouse(
  { url, cluster }: ClickHouseTarget,
  signal: AbortSignal | undefined,
): Promise<ClickHouseState> {
  const client = connect(await reachableAddress(url));
  try {
    const applied = await readRecords(client, cluster, signal);
    return { applied, sizes: await readTableSizes(client, signal) };
  } catch (error) {
    if (NOTHING_YET.has((error as { type?: string }).type ?? ''))
      return { applied: [], sizes: new Map() };
    throw error;
  } finally {
    await client.close();
  }
}

/** Before the first migration, neither the database nor the table of records exists. */
const NOTHING_YET = new Set(['UNKNOWN_DATABASE', 'UNKNOWN_TABLE']);

const RECORDS_TABLE = `
  CREATE TABLE IF NOT EXISTS schema_migrations\${ON_CLUSTER}
  (
    version UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  )
  ENGINE = ReplacingMergeTree ORDER BY version
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

async function readRecords(
  client: ClickHouseClient,
  cluster: string | undefined,
  signal: AbortSignal | undefined,
) {
  // The record of a file is on the node that applied it, which may be another one.
  const table =
    cluster === undefined
      ? 'schema_migrations'
      : `clusterAllReplicas('${cluster}', currentDatabase(), 'schema_migrations')`;
  const result = await client.query({
    query: `SELECT DISTINCT version, name, checksum FROM ${table} ORDER BY version`,
    format: 'JSONEachRow',
    ...abortedBy(signal),
  });
  return await result.json<AppliedFile>();
}

/** Of this node. */
async function readTableSizes(
  client: ClickHouseClient,
  signal: AbortSignal | undefined,
): Promise<TableSizes> {
  const result = await client.query({
    query: `SELECT name, toFloat64(total_bytes) AS bytes FROM system.tables
            WHERE database = currentDatabase() AND total_bytes IS NOT NULL`,
    format: 'JSONEachRow',
    ...abortedBy(signal),
  });
  const rows = await result.json<{ name: string; bytes: number }>();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** The address may name a database that does not exist yet. */
async function ensureDatabase(
  target: ClickHouseTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const url = new URL(target.url);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '' || database === 'default') return;
  url.pathname = '';
  const client = connect(url);
  try {
    const name = `\`${database.replaceAll(/[\\`]/g, '\\$&')}\``;
    const sql = `CREATE DATABASE IF NOT EXISTS ${name}\${ON_CLUSTER}`;
    await runStatement(client, renderForCluster(sql, target.cluster), signal);
  } finally {
    await client.close();
  }
}

/** The first address that responds, or the first one if none responds. */
async function reachableAddress(addresses: string): Promise<string> {
  const [first, ...others] = allAddresses(addresses);
  for (const url of others.length === 0 ? [] : [first!, ...others]) {
    const client = connect(url);
    const { success } = await client.ping();
    await client.close();
    if (success) return url;
  }
  return first!;
}

function connect(url: string | URL): ClickHouseClient {
  return createClient({
    url,
    request_timeout: STATEMENT_TIMEOUT_MS,
    // Errors are thrown to the caller. The client would also print them.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: PROGRESS_INTERVAL_MS,
    },
  });
}

async function runStatement(
  client: ClickHouseClient,
  query: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await client.command({ query, ...abortedBy(signal) });
}

function abortedBy(signal: AbortSignal | undefined): { abort_signal?: AbortSignal } {
  return signal === undefined ? {} : { abort_signal: signal };
}
