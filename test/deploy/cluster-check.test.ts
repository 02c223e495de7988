// npm run cluster-check, as far as it can be tested without a cluster: its message if there is no cluster, and that a
// failed check ends it. The checks themselves have not been run on a cluster here.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@clickhouse/client';
import { expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { CHECKS } from '../../deploy/cluster-check/checks.ts';
import { startLossyProxy } from '../../deploy/cluster-check/lossy-proxy.ts';
import { outcomeTable } from '../../deploy/cluster-check/outcome-table.ts';
import { sampleContents } from '../../deploy/cluster-check/sample-contents.ts';
import { openScene } from '../../deploy/cluster-check/scene.ts';
import { migrateClickHouse } from '../../migrations/migrate-clickhouse.ts';
import { readSqlFiles } from '../../migrations/sql-files.ts';
import { shardAddresses } from '../../schema/environment/clickhouse-addresses.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'deploy', 'cluster-check', 'main.ts');

async function check(env: Record<string, string>) {
  const { PATH = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)('node', [MAIN], { env: { PATH, ...env } });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

test('without a cluster, it says what it needs', async () => {
  const { code, stdout, stderr } = await check({});
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('There is no cluster to check.');
  expect(stderr).toContain('CLICKHOUSE_CLUSTER is not set.');
  expect(stderr).toContain('docker compose -f deploy/cluster/compose.yaml up');
});

test('a single server is not a cluster', async () => {
  const env = { CLICKHOUSE_CLUSTER: 'engagement', CLICKHOUSE_URL: inject('clickhouseUrl') };
  const { code, stderr } = await check(env);
  expect(code).toBe(2);
  expect(stderr).toContain('CLICKHOUSE_URL has no shard with two replicas.');
});

test('a failed check ends it with a table and the exit code 1', async () => {
  const url = inject('clickhouseUrl');
  const env = {
    CLICKHOUSE_CLUSTER: 'engagement',
    CLICKHOUSE_URL: `${url},${url.replace('127.0.0.1', 'localhost')}`,
  };
  const { code, stdout } = await check(env);
  expect(code).toBe(1);
  const results = stdout
    .trim()
    .split('\n')
    .slice(2)
    .map(line => line.split('|')[2]!.trim());
  expect(results).toHaveLength(CHECKS.length);
  expect(results[0]).toBe('passed');
  expect(results[1]).toBe('failed');
  expect(new Set(results.slice(2))).toEqual(new Set(['not run']));
});

test('the table shows each check on a line of its own', () => {
  const table = outcomeTable([
    { name: 'one', result: 'passed', detail: 'a | b' },
    { name: 'another', result: 'failed', detail: 'two\nlines' },
  ]);
  expect(table.split('\n')).toEqual([
    '| check   | result | detail |',
    '|---------|--------|---|',
    '| one     | passed | a \\| b |',
    '| another | failed | two lines |',
  ]);
});

test('its inserts are those of ingest, and its proxy dies with the first answer to an insert', async () => {
  const database = `cluster_check_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(inject('clickhouseUrl'));
  url.pathname = `/${database}`;
  const files = readSqlFiles(join(ROOT, 'migrations', 'clickhouse'));
  const target = { cell: 'default', url: url.href, cluster: undefined };
  await migrateClickHouse(target, files, () => undefined, undefined);
  const scene = openScene({
    addresses: inject('clickhouseUrl'),
    cluster: 'engagement',
    database,
    sleep: () => Promise.resolve(),
  });
  const nowMs = Date.now();
  const events = [1, 2, 3].map(n => ({
    messageId: `message ${n}`,
    timestampMs: nowMs,
    receivedAtMs: nowMs,
  }));
  expect(sampleContents(crypto.randomUUID(), events).frames).toHaveLength(3);
  const proxy = await startLossyProxy(url.href);
  // Two addresses of one server: replicas without delay.
  const id = await scene.insert(events, { addresses: `${url.href},${proxy.url}` });
  expect(proxy.hasDied()).toBe(true);
  await expect(fetch(proxy.url)).rejects.toThrow('fetch failed');
  const client = createClient({ url });
  const result = await client.query({
    query: `SELECT toUInt32(count()) AS n FROM events_raw WHERE batch_id = '${id}'`,
    format: 'JSONEachRow',
  });
  expect(await result.json()).toEqual([{ n: 3 }]);
  await client.command({ query: `DROP DATABASE ${database}` });
  await client.close();
  for (const server of scene.servers) server.close();
  proxy.close();
});

test('the example has the servers that the help names, each with a shard and a name of its own', async () => {
  const folder = join(ROOT, 'deploy', 'cluster');
  const text = await readFile(join(folder, 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, { ports?: string[]; environment?: Record<string, string> }>;
  };
  const servers = Object.values(services).filter(({ ports }) => ports !== undefined);
  expect(servers).toHaveLength(3);
  const { stderr } = await check({});
  const [, addresses] = /export CLICKHOUSE_URL='([^']+)'/.exec(stderr)!;
  const shards = shardAddresses(addresses!);
  for (const [index, urls] of shards.entries())
    for (const address of urls) {
      const port = new URL(address).port;
      const server = servers.find(({ ports }) => ports![0] === `127.0.0.1:${port}:8123`);
      expect(server?.environment?.SHARD).toBe(String(index + 1));
    }
  const names = servers.map(({ environment }) => environment!.REPLICA);
  expect(new Set(names).size).toBe(3);
  const xml = await readFile(join(folder, 'clickhouse.xml'), 'utf8');
  for (const name of names) expect(xml).toContain(`<host>${name}</host>`);
});
