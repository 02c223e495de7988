// A ClickHouse for a single test file, which may kill it, alter its tables and delete its data.

import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, inject } from 'vitest';
import { type RunningClickHouse, startClickHouse } from '../../embedded/clickhouse/process.ts';
import { migrate } from '../../migrations/migrate.ts';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { eventually } from './eventually.ts';
import { createRandom } from './random.ts';
import { newDirectory } from './run-directory.ts';

export type OwnClickHouse = {
  /** The same after every start. */
  readonly url: string;
  rows<T>(query: string, parameters?: Record<string, unknown>): Promise<T[]>;
  command(sql: string): Promise<void>;
  /** Sends SIGKILL; resolves when the process has exited. */
  kill9(): Promise<void>;
  /** Starts it again on the same directory and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** One ClickHouse for all tests of a file, in its own directory. */
export function useClickHouse(
  makeDirectory = () => newDirectory('own-clickhouse'),
): () => OwnClickHouse {
  let clickhouse: OwnClickHouse | undefined;
  beforeAll(async () => {
    clickhouse = await startOwnClickHouse(await makeDirectory());
  });
  afterAll(() => clickhouse?.stop());
  return () => {
    if (clickhouse === undefined) throw new Error('ClickHouse starts in beforeAll');
    return clickhouse;
  };
}

async function startOwnClickHouse(dataDir: string): Promise<OwnClickHouse> {
  let running = await startOnAnyPort(dataDir);
  const { url, port } = running;
  const client = createClient({
    url,
    clickhouse_settings: { date_time_output_format: 'iso' },
    // After a kill, the first query over a kept connection would fail.
    keep_alive: { enabled: false },
  });
  const own: OwnClickHouse = {
    url,
    async rows<T>(query: string, parameters: Record<string, unknown> = {}) {
      const result = await client.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
      });
      return result.json<T>();
    },
    command: async sql => void (await client.command({ query: sql })),
    async kill9() {
      running.kill();
      await untilGone(running.pid);
    },
    async start() {
      running = await startClickHouse({ dataDir, port });
    },
    async stop() {
      await client.close();
      await running.stop();
    },
  };
  await migrate({
    databaseUrl: inject('databaseUrls').owner,
    clickhouseUrls: { default: url },
    log: () => undefined,
  });
  // Prevents merges, which would remove the duplicates that tests look for: no part is this small.
  for (const { name, destination } of ALL_TABLES) {
    if (destination !== 'warehouse') continue;
    await own.command(
      `ALTER TABLE ${name} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
    );
  }
  return own;
}

/** Below the ephemeral port range, so the port is still free at the next start. */
const [PORT_MIN, PORT_MAX] = [12_000, 32_000];
const ATTEMPTS_MAX = 10;

async function startOnAnyPort(dataDir: string): Promise<RunningClickHouse> {
  const random = createRandom(process.pid + Date.now());
  for (let attempt = 1; ; attempt++) {
    const port = PORT_MIN + random.below(PORT_MAX - PORT_MIN);
    try {
      return await startClickHouse({ dataDir, port });
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('is taken');
      if (!isTaken || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

async function untilGone(pid: number): Promise<void> {
  await eventually(
    () => {
      try {
        process.kill(pid, 0);
      } catch {
        return;
      }
      throw new Error(`process ${pid} is still there`);
    },
    { intervalMs: 10 },
  );
}
