// One Postgres, one ClickHouse, one ingest and one API serve the whole run. Each test creates its own
// organizations, workspaces and keys, so the databases are never reset.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { API_NODE_ARGS } from '../../embedded/api-node-args.ts';
import { startClickHouse } from '../../embedded/clickhouse/process.ts';
import { startPostgres } from '../../embedded/postgres.ts';
import { migrate } from '../../migrations/migrate.ts';
import { apiEnvironment, type Engines, ingestEnvironment } from './environments.ts';
import { eventually } from './eventually.ts';
import { send } from './http.ts';
import { type Program, startProgram } from './program.ts';
import { quickStartEnvironment } from './quick-start.ts';
import { RUN_DIRECTORY_VARIABLE } from './run-directory-variable.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrls: Engines['databaseUrls'];
    /** A migrated database without tenants, from which others are copied. */
    databaseTemplate: string;
    clickhouseUrl: string;
    /** The addresses of the programs that the test files share. */
    ingestUrl: string;
    apiUrl: string;
    /** Everything that a run writes is in this directory. */
    runDirectory: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[RUN_DIRECTORY_VARIABLE];
  const runDirectory = given ?? (await mkdtemp(join(tmpdir(), 'engagement-test-')));
  await mkdir(runDirectory, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  // The workers start later and load the same code hundreds of times.
  Object.assign(process.env, quickStartEnvironment(runDirectory));
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
    const engines = {
      databaseUrls: postgres.urls,
      clickhouseUrl: clickhouse.url,
      runDirectory,
    };
    const [ingest, api] = await startShared(engines, undo);
    project.provide('ingestUrl', `http://127.0.0.1:${ingest.port}`);
    project.provide('apiUrl', `http://127.0.0.1:${api.port}`);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
  return () => undoAll(undo);
}

async function startEngines(runDirectory: string, undo: (() => Promise<unknown>)[]) {
  // allSettled: if one engine fails to start, the other must still be stopped.
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

async function startShared(engines: Engines, undo: (() => Promise<unknown>)[]) {
  const dataDirectory = join(engines.runDirectory, 'shared-ingest');
  const [ingest, api] = await Promise.allSettled([
    startProgram('ingest/main.ts', ingestEnvironment(engines, dataDirectory, 2)),
    startProgram('graphql-api/app/main.ts', apiEnvironment(engines), API_NODE_ARGS),
  ]);
  for (const program of [ingest, api])
    if (program.status === 'fulfilled') undo.push(() => stopShared(program.value));
  if (ingest.status === 'rejected') throw ingest.reason;
  if (api.status === 'rejected') throw api.reason;
  const both = [ingest.value, api.value] as const;
  for (const { port } of both)
    await eventually(async () => {
      const { status } = await send(`http://127.0.0.1:${port}/readyz`, { method: 'GET' });
      if (status !== 200) throw new Error(`a shared program did not get ready: ${status}`);
    });
  return both;
}

/** Fails the run if the program exited earlier. */
async function stopShared(program: Program): Promise<void> {
  const isRunning = program.isRunning();
  const { code, signal } = await program.end('SIGTERM');
  if (!isRunning || code !== 0)
    throw new Error(
      `a shared program ended with ${code ?? signal}. Its log:\n${program.lines.join('\n')}`,
    );
}

/**
 * Migrating takes six times as long as copying. The template allows no connections, because they
 * would prevent copies of it.
 */
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
