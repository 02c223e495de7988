// The statements of the migrations for a ClickHouse cluster, and an engine that can execute most of them.

import { join } from 'node:path';
import { type RunningClickHouse, startClickHouse } from '../../embedded/clickhouse/process.ts';
import { renderForCluster, splitStatements } from '../../migrations/clickhouse-sql.ts';
import { readSqlFiles } from '../../migrations/sql-files.ts';
import { newDirectory } from './run-directory.ts';

export const CLUSTER = 'eu-1';

const OURS = join(import.meta.dirname, '..', '..', 'migrations', 'clickhouse');

export function clusterStatements(): readonly { readonly file: string; readonly sql: string }[] {
  return readSqlFiles(OURS).flatMap(({ name, text }) =>
    splitStatements(renderForCluster(text, CLUSTER)).map(sql => ({ file: name, sql })),
  );
}

/**
 * What a single engine can execute of them, as one shard without other replicas: nothing that reads or writes
 * other servers, which copies the rows of earlier tables and so does nothing in an empty database.
 */
export function shardStatements(): readonly string[] {
  return clusterStatements()
    .map(({ sql }) => sql)
    .filter(sql => !/\bcluster(?:AllReplicas)?\(/.test(sql) && !/^INSERT /m.test(sql))
    .map(sql => sql.replaceAll(` ON CLUSTER '${CLUSTER}'`, '').replaceAll('= Replicated', '= '));
}

/** Knows the cluster, but reaches none of its servers. */
const TWO_SHARDS = `<remote_servers><${CLUSTER}>${'<shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>'.repeat(2)}</${CLUSTER}></remote_servers>`;

/** An engine of its own. */
export async function startShardEngine(): Promise<RunningClickHouse> {
  return startClickHouse({
    dataDir: await newDirectory('shard'),
    port: 0,
    isQuiet: true,
    configuration: TWO_SHARDS,
  });
}
