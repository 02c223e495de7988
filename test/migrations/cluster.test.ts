// The migrations of a cluster, as far as one engine can run them. It parses every statement as it is sent. It
// executes those that do not reach other servers, without their cluster and without Keeper: the tables, the
// Distributed tables and the views of one shard.

import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { afterAll, expect, inject, test } from 'vitest';
import { readSqlFiles } from '../../migrations/sql-files.ts';
import { STORED_TABLES } from '../../schema/analyst-login/analyst-tables.ts';
import {
  CLUSTER,
  clusterStatements,
  shardStatements,
  startShardEngine,
} from '../harness/cluster-statements.ts';
import { newWarehouse, rowsOf } from './new-warehouse.ts';

const server = createClient({ url: inject('clickhouseUrl') });
afterAll(() => server.close());

const statements = clusterStatements();

test('the engine parses every statement', async () => {
  const failures: string[] = [];
  for (const { file, sql } of statements) {
    const query = `SELECT formatQuery('${sql.replaceAll(/[\\']/g, '\\$&')}') AS text`;
    await rowsOf(server, query).catch(error => failures.push(`${file}: ${error.message}\n${sql}`));
  }
  expect(failures).toEqual([]);
});

const codes = statements.map(({ sql }) => sql.replaceAll(/--[^\n]*/g, '').trim());

test('every definition is for all nodes of the cluster', () => {
  const definitions = codes.filter(sql => /^(?:CREATE|ALTER|DROP|EXCHANGE|RENAME)\b/.test(sql));
  expect(definitions.length).toBeGreaterThan(50);
  expect(definitions.filter(sql => !sql.includes(` ON CLUSTER '${CLUSTER}'`))).toEqual([]);
});

test('every table with rows is replicated and recognizes the tokens of earlier inserts', () => {
  const engines = codes.filter(sql => /^ENGINE = \w*MergeTree/m.test(sql));
  expect(engines.length).toBeGreaterThan(10);
  expect(engines.filter(sql => !/^ENGINE = Replicated(?:Replacing)?MergeTree/m.test(sql))).toEqual(
    [],
  );
  // ReplacingMergeTree: tables that ingest inserts into. Copies for the time of a migration have no window.
  const inserted = engines.filter(
    sql => sql.includes('ReplicatedReplacing') && sql.includes('SETTINGS'),
  );
  expect(inserted.filter(sql => !sql.includes('replicated_deduplication_window = 10000'))).toEqual(
    [],
  );
});

test('no statement names a path in Keeper: the default has the shard and the replica of each server', () => {
  expect(codes.filter(sql => /Replicated\w*MergeTree\('/.test(sql))).toEqual([]);
});

test('a shard has the tables and views of a single node, and reads all shards under the names of a single node', async () => {
  const single = await newWarehouse();
  await single.migrateTo(
    readSqlFiles(OURS).map(
      ({ version, name }) => `${String(version).padStart(4, '0')}_${name}.sql`,
    ),
  );
  const engine = await startShardEngine();
  const shard = createClient({ url: engine.url });
  for (const query of shardStatements()) await shard.command({ query });
  const [own, all] = [await objectsOf(shard), await objectsOf(single.client)];
  for (const [name, { columns }] of all)
    if (name !== 'schema_migrations') expect(own.get(name)?.columns, name).toEqual(columns);
  for (const name of ['events', 'event_id_collisions'])
    expect(own.get(name)?.engine).toBe(`Distributed('${CLUSTER}', 'default', '${name}_of_shard')`);
  for (const name of STORED_TABLES)
    expect(own.get(`${name}_all`)?.engine).toMatch(
      `Distributed('${CLUSTER}', 'default', '${name}')`,
    );
  const [keys] = await rowsOf(shard, KEYS);
  expect([keys]).toEqual(await rowsOf(single.client, KEYS));
  await shard.close();
  await engine.stop();
  await single.client.close();
});

const OURS = join(import.meta.dirname, '..', '..', 'migrations', 'clickhouse');
const KEYS =
  "SELECT partition_key, sorting_key FROM system.tables WHERE database = currentDatabase() AND name = 'events_raw'";

async function objectsOf(client: typeof server) {
  const rows = await rowsOf<{ name: string; engine: string; columns: [string, string][] }>(
    client,
    `SELECT name, any(engine_full) AS engine, arraySort(groupArray((column, type, default))) AS columns
     FROM (SELECT t.name AS name, t.engine_full AS engine_full, c.name AS column, c.type AS type, c.default_expression AS default
           FROM system.tables AS t INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
           WHERE t.database = currentDatabase())
     GROUP BY name`,
  );
  return new Map(rows.map(({ name, ...object }) => [name, object]));
}
