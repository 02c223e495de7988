// Starts Postgres, ClickHouse and ingest for the kit, in a directory that is removed afterwards.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../embedded/child.ts';
import { startClickHouse } from '../embedded/clickhouse/process.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { migrate } from '../migrations/migrate.ts';
import { openService, type Service } from './service.ts';

const INGEST_STOP_MS = 15_000;

/** Closing it stops all parts. */
export async function startService(): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  const undo: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const service = await startParts(directory, undo);
    undo.push(() => service.close());
    return { ...service, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(directory: string, undo: (() => Promise<unknown>)[]): Promise<Service> {
  // Waits for both engines, because if one fails to start, the other must still be stopped.
  const [postgres, clickhouse] = await Promise.allSettled([
    startPostgres({ dataDir: join(directory, 'postgres'), port: 0 }),
    startClickHouse({ dataDir: join(directory, 'clickhouse'), port: 0, isQuiet: true }),
  ]);
  if (postgres.status === 'fulfilled') undo.push(() => postgres.value.stop());
  if (clickhouse.status === 'fulfilled') undo.push(() => clickhouse.value.stop());
  if (postgres.status === 'rejected') throw postgres.reason;
  if (clickhouse.status === 'rejected') throw clickhouse.reason;
  const { urls } = postgres.value;
  const clickhouseUrl = clickhouse.value.url;
  await migrate({
    databaseUrl: urls.owner,
    clickhouseUrls: { default: clickhouseUrl },
    log: () => undefined,
  });
  const ingest = await startChild({
    name: 'ingest',
    module: join(import.meta.dirname, '..', 'ingest', 'main.ts'),
    env: {
      PATH: process.env.PATH,
      DATA_DIR: directory,
      INGEST_HOST: '127.0.0.1',
      INGEST_PORT: '0',
      INGEST_THREADS: '1',
      DATABASE_SYSTEM_URL: urls.system,
      CLICKHOUSE_URL: clickhouseUrl,
      LOG_LEVEL: 'error',
    },
    stopTimeoutMs: INGEST_STOP_MS,
    onExit: code => process.stderr.write(`conformance: ingest exited with code ${code}.\n`),
  });
  undo.push(() => ingest.stop());
  return openService({
    ingestUrl: `http://127.0.0.1:${ingest.port}`,
    databaseUrl: urls.owner,
    clickhouseUrl,
  });
}
