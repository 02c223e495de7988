// One Postgres and one ClickHouse serve the whole run. Tests stay apart by making their own
// organisations, workspaces and keys, so neither engine is ever reset.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startClickHouse } from '../../embedded/clickhouse/process.ts';
import { startPostgres } from '../../embedded/postgres.ts';
import { migrate } from '../../migrations/migrate.ts';
import { quickStartEnvironment } from './quick-start.ts';
import { RUN_DIRECTORY_VARIABLE } from './run-directory-variable.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrls: { owner: string; app: string; system: string };
    /** A migrated one without tenants, to make others from. */
    databaseTemplate: string;
    clickhouseUrl: string;
    /** Everything that a run writes lies below it. */
    runDirectory: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[RUN_DIRECTORY_VARIABLE];
  const runDirectory = given ?? (await mkdtemp(join(tmpdir(), 'engagement-test-')));
  await mkdir(runDirectory, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  // The workers are started later, and load the same code hundreds of times.
  process.env.NODE_COMPILE_CACHE ??= quickStartEnvironment(runDirectory).NODE_COMPILE_CACHE;
  if (given === undefined)
    undo.push(() => rm(runDirectory, { recursive: true, force: true, maxRetries: 5 }));

  try {
    const [postgres, clickhouse] = await startEngines(runDirectory, undo);
    await migrate({
      databaseUrl: postgres.urls.owner,
      clickhouseUrls: { default: clickhouse.url },
      log: () => undefined,
    });
    project.provide('databaseUrls', postgres.urls);
    project.provide('databaseTemplate', await makeTemplate(postgres.urls.owner));
    project.provide('clickhouseUrl', clickhouse.url);
    project.provide('runDirectory', runDirectory);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
  return () => undoAll(undo);
}

async function startEngines(runDirectory: string, undo: (() => Promise<unknown>)[]) {
  // Settled, not raced: when one engine fails to start, the other must still be stopped.
  const [postgres, clickhouse] = await Promise.allSettled([
    startPostgres({ dataDir: join(runDirectory, 'postgres'), port: 0 }),
    startClickHouse({ dataDir: join(runDirectory, 'clickhouse'), port: 0 }),
  ]);
  if (postgres.status === 'fulfilled') undo.push(() => postgres.value.stop());
  if (clickhouse.status === 'fulfilled') undo.push(() => clickhouse.value.stop());
  if (postgres.status === 'rejected') throw postgres.reason;
  if (clickhouse.status === 'rejected') throw clickhouse.reason;
  return [postgres.value, clickhouse.value] as const;
}

/** To migrate takes six times as long as to copy. Nobody may connect, or no copy could be made. */
async function makeTemplate(databaseUrl: string): Promise<string> {
  const template = 'test_template';
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const migrated = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
    await client.query(`CREATE DATABASE ${template} TEMPLATE ${migrated} ALLOW_CONNECTIONS false`);
  } finally {
    await client.end();
  }
  return template;
}

async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of undo.splice(0).reverse()) {
    await step().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'The engines did not stop cleanly');
}
