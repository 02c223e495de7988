// Postgres, ClickHouse and a tenant without caps, which all servers of a run share.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningClickHouse, startClickHouse } from '../../embedded/clickhouse/process.ts';
import { createDemoTenant, type DemoTenant } from '../../embedded/demo-tenant.ts';
import { type RunningPostgres, startPostgres } from '../../embedded/postgres.ts';
import { migrate } from '../../migrations/migrate.ts';
import { type Brokers, startBrokers } from '../../test/harness/brokers.ts';
import { FASTIFY_TABLE, FASTIFY_TABLE_SQL } from './fastify-table.ts';
import { pin } from './pinning.ts';

export type Engines = {
  readonly directory: string;
  readonly databaseUrl: string;
  readonly postgres: RunningPostgres;
  readonly clickhouse: RunningClickHouse;
  /** Undefined if no server needs them. */
  readonly brokers: Brokers | undefined;
  readonly tenant: DemoTenant;
  /** Runs a statement in ClickHouse; returns the response as tab-separated text. */
  readonly ask: (sql: string) => Promise<string>;
  /** Stops (SIGSTOP) and resumes ClickHouse's process. */
  readonly pauseClickHouse: () => void;
  readonly resumeClickHouse: () => void;
  readonly pin: (cores: string | undefined) => void;
  /** Deletes all stored data. */
  readonly clear: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type EnginesOptions = {
  /** The niceness of ClickHouse, 0 for normal priority. */
  readonly clickhouseNice: number;
  readonly withBrokers: boolean;
};

type Started = Pick<Engines, 'directory' | 'postgres' | 'clickhouse' | 'brokers' | 'stop'>;

export async function startEngines({
  clickhouseNice,
  withBrokers,
}: EnginesOptions): Promise<Engines> {
  const directory = await mkdtemp(join(tmpdir(), 'engagement-bench-'));
  const running: { stop: () => Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(running.map(engine => engine.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), port: 0 });
    running.push(postgres);
    const dataDir = join(directory, 'clickhouse');
    const clickhouse = await startClickHouse({
      dataDir,
      port: 0,
      nice: clickhouseNice,
      isQuiet: true,
    });
    running.push(clickhouse);
    const brokers = withBrokers
      ? await startBrokers(join(directory, 'brokers'), { isMeasured: true })
      : undefined;
    if (brokers !== undefined) running.push(brokers);
    return await prepared({ directory, postgres, clickhouse, brokers, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepared({
  directory,
  postgres,
  clickhouse,
  brokers,
  stop,
}: Started): Promise<Engines> {
  await migrate({
    databaseUrl: postgres.urls.owner,
    clickhouseUrls: { default: clickhouse.url },
    log: () => undefined,
  });
  const tenant = await createDemoTenant(postgres.urls.system);
  const ask = async (sql: string) => {
    const answer = await fetch(clickhouse.url, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${sql}: ${text}`);
    return text.trim();
  };
  await ask(FASTIFY_TABLE_SQL);
  const resumeClickHouse = () => void process.kill(clickhouse.pid, 'SIGCONT');
  return {
    directory,
    databaseUrl: postgres.urls.system,
    postgres,
    clickhouse,
    brokers,
    tenant,
    ask,
    pauseClickHouse: () => void process.kill(clickhouse.pid, 'SIGSTOP'),
    resumeClickHouse,
    pin: cores => {
      for (const pid of [postgres.pid, clickhouse.pid, ...brokerPids(brokers)]) pin(pid, cores);
    },
    clear: async () => {
      for (const table of ['events_raw', 'rejected_events_raw', FASTIFY_TABLE])
        await ask(`TRUNCATE TABLE ${table}`);
    },
    stop: async () => {
      // A paused process would not receive the signal to stop.
      resumeClickHouse();
      await stop();
    },
  };
}

export function brokerPids(brokers: Brokers | undefined): number[] {
  if (brokers === undefined) return [];
  return Array.from({ length: brokers.count }, (_, index) => brokers.pid(index));
}
