// The real service, started for a benchmark in its own directory: both engines, the schema, a
// tenant without caps, and ingest.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startClickHouse } from '../embedded/clickhouse/process.ts';
import { createDemoTenant, type DemoTenant } from '../embedded/demo-tenant.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { migrate } from '../migrations/migrate.ts';
import type { DatabaseUrls } from '../schema/environment/database-urls.ts';

export type Stack = {
  readonly ingestUrl: string;
  readonly ingestPid: number;
  readonly databaseUrls: DatabaseUrls;
  readonly clickhouseUrl: string;
  readonly tenant: DemoTenant;
  /** Runs a query as the owner of the tables. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly stop: () => Promise<void>;
};

const THREADS = 2;

/** With additional environment variables for ingest, if the benchmark needs them. */
export async function startStack(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const directory = await mkdtemp(join(tmpdir(), 'engagement-bench-'));
  const [postgres, clickhouse] = await Promise.all([
    startPostgres({ dataDir: join(directory, 'postgres'), port: 0 }),
    startClickHouse({ dataDir: join(directory, 'clickhouse'), port: 0, isQuiet: true }),
  ]);
  await migrate({
    databaseUrl: postgres.urls.owner,
    clickhouseUrls: { default: clickhouse.url },
    log: () => undefined,
  });
  const tenant = await createDemoTenant(postgres.urls.system);
  const ingest = await startIngest(join(directory, 'data'), postgres.urls, clickhouse.url, env);
  const pool = new pg.Pool({ connectionString: postgres.urls.owner, max: 2 });
  // Postgres may end an idle connection when everything stops.
  pool.on('error', () => undefined);
  return {
    ingestUrl: ingest.url,
    ingestPid: ingest.child.pid!,
    databaseUrls: postgres.urls,
    clickhouseUrl: clickhouse.url,
    tenant,
    sql: async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows,
    stop: async () => {
      const gone = once(ingest.child, 'exit');
      ingest.child.kill('SIGTERM');
      await gone;
      await pool.end();
      await Promise.all([postgres.stop(), clickhouse.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startIngest(
  dataDirectory: string,
  databaseUrls: DatabaseUrls,
  clickhouseUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, '..', 'ingest', 'main.ts'), [], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDirectory,
      INGEST_PORT: '0',
      INGEST_HOST: '127.0.0.1',
      INGEST_THREADS: String(THREADS),
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: '16',
      DATABASE_SYSTEM_URL: databaseUrls.system,
      CLICKHOUSE_URL: clickhouseUrl,
      ...env,
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${message.port}`;
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    await answer.body?.cancel();
    if (answer.ok) return { child, url };
    await new Promise(resolve => setTimeout(resolve, READY_LOOK_MS));
  }
}

const READY_LOOK_MS = 50;
