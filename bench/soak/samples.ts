// The measurements that a soak takes every ten seconds: each process, and everything that could grow without bound.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { residentMb } from '../ingest/process-usage.ts';
import type { SoakService } from './service.ts';

export type Sample = {
  readonly atSeconds: number;
  /** By the name of the measure. */
  readonly values: Readonly<Record<string, number>>;
  /** The processes by name. One that was replaced has exited. */
  readonly pids: Readonly<Record<string, number>>;
};

const MB = 1024 ** 2;
/** The measures of a sample are taken at about the same time. */
const TIMEOUT_MS = 5_000;
/** The audit log keeps every change, and no other table of this load keeps a row of each request. */
const POSTGRES = `
  SELECT pg_database_size(current_database())::float8 AS bytes,
         pg_total_relation_size('audit_log')::float8 AS audit_bytes,
         (SELECT sum(n_dead_tup)::float8 FROM pg_stat_user_tables) AS dead_rows,
         (SELECT count(*)::float8 FROM pg_stat_activity WHERE datname = current_database()) AS connections`;
const CLICKHOUSE = `
  SELECT (SELECT count() FROM system.tables WHERE database = currentDatabase()),
         countIf(active), count(), sumIf(bytes_on_disk, active) FROM system.parts WHERE database = currentDatabase()`;

export type Sampler = {
  readonly take: (atSeconds: number) => Promise<Sample>;
  close(): Promise<void>;
};

export async function createSampler(service: SoakService): Promise<Sampler> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  return {
    async take(atSeconds) {
      const pids = pidsOf(service);
      const [{ rows }, clickhouse, ingest, api] = await Promise.all([
        client.query<Record<string, number>>(POSTGRES),
        askClickHouse(service.clickhouseUrl, CLICKHOUSE),
        readMetrics(service.operationsUrls.ingest),
        readMetrics(service.operationsUrls.api),
      ]);
      const [tables, active, parts, bytes] = clickhouse.split('\t').map(Number);
      const { bytes: size, audit_bytes: audit, dead_rows: dead, connections } = rows[0]!;
      const spool = filesIn(join(service.dataDir, 'ingest'));
      const values = {
        ...Object.fromEntries(
          Object.entries(pids).flatMap(([name, pid]) => processValues(name, pid)),
        ),
        'ingest heap MB': totalOf(ingest, 'ingest_nodejs_heap_size_used_bytes') / MB,
        'api heap MB': totalOf(api, 'nodejs_heap_size_used_bytes') / MB,
        'Postgres connections': connections!,
        'Postgres without audit log MB': (size! - audit!) / MB,
        'Postgres audit log MB': audit! / MB,
        'Postgres dead rows': dead!,
        'ClickHouse tables': tables!,
        'ClickHouse active parts': active!,
        'ClickHouse all parts': parts!,
        'ClickHouse data MB': bytes! / MB,
        'spool files': spool.length,
        'spool MB': spool.reduce((sum, path) => sum + bytesOf(path), 0) / MB,
        'oldest undelivered s': Math.max(...ingest.filter(isUnsentAge).map(({ value }) => value)),
        'log MB': bytesOf(service.logFile) / MB,
        'load average': loadavg()[0]!,
      };
      return { atSeconds, pids, values };
    },
    close: () => client.end(),
  };
}

type Metric = { readonly name: string; readonly labels: string; readonly value: number };

export async function readMetrics(url: string): Promise<Metric[]> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`/metrics: HTTP ${answer.status}`);
  const lines = (await answer.text()).matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm);
  return Array.from(lines, ([, name, labels = '', value]) => ({
    name: name!,
    labels,
    value: Number(value),
  }));
}

export function totalOf(metrics: readonly Metric[], name: string): number {
  const found = metrics.filter(metric => metric.name === name);
  // A renamed metric must not look like 0.
  if (found.length === 0) throw new Error(`/metrics does not have ${name}`);
  return found.reduce((sum, { value }) => sum + value, 0);
}

/** Returns the response as tab-separated text. */
export async function askClickHouse(url: string, sql: string): Promise<string> {
  const { username, password, origin, pathname } = new URL(url);
  const database = pathname.slice(1) === '' ? '' : `?database=${pathname.slice(1)}`;
  const authorization = `Basic ${btoa(`${username || 'default'}:${password}`)}`;
  const answer = await fetch(`${origin}/${database}`, {
    method: 'POST',
    body: sql,
    headers: password === '' ? {} : { authorization },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${sql}: ${text}`);
  return text;
}

function isUnsentAge({ name, labels }: Metric): boolean {
  return name === 'ingest_spool_oldest_unsent_seconds' && labels.includes('clickhouse');
}

/** External engines have no process on this machine. */
function pidsOf({ child, dataDir }: SoakService): Record<string, number> {
  const children = JSON.parse(readFileSync(join(dataDir, 'children.json'), 'utf8')) as Record<
    string,
    { pid: number }
  >;
  const pids: Record<string, number> = { start: child.pid! };
  for (const [name, { pid }] of Object.entries(children)) pids[name] = pid;
  const postmaster = orZero(() =>
    Number.parseInt(
      readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'),
      10,
    ),
  );
  return postmaster === 0 ? pids : { ...pids, postgres: postmaster };
}

function processValues(name: string, pid: number): [string, number][] {
  const family = name === 'postgres' ? familyOf(pid) : [pid];
  const sum = (look: (pid: number) => number) =>
    family.reduce((total, one) => total + orZero(() => look(one)), 0);
  return [
    [`${name} memory MB`, sum(name === 'postgres' ? proportionalMb : one => residentMb(one).now)],
    [`${name} descriptors`, sum(one => readdirSync(`/proc/${one}/fd`).length)],
    [`${name} threads`, sum(one => readdirSync(`/proc/${one}/task`).length)],
  ];
}

/** A process and its children. */
function familyOf(pid: number): number[] {
  const isChild = (name: string) =>
    orZero(() =>
      Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1]),
    );
  const numbers = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return [pid, ...numbers.filter(name => isChild(name) === pid).map(Number)];
}

/** Postgres's processes share most of their memory: shared pages are divided among them. */
function proportionalMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
}

function bytesOf(path: string): number {
  return orZero(() => statSync(path).size);
}

/** A file or a process can end between the list and the look. */
function orZero(look: () => number): number {
  try {
    return look();
  } catch {
    return 0;
  }
}
