// For benchmarks in this process that need only Postgres, with our tables.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../embedded/postgres.ts';
import { migrate } from '../migrations/migrate.ts';

export type DatabaseUrls = {
  readonly owner: string;
  readonly app: string;
  readonly system: string;
};

export async function onlyPostgres<T>(measure: (urls: DatabaseUrls) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engagement-bench-'));
  const postgres = await startPostgres({ dataDir, port: 0 });
  try {
    await migrate({ databaseUrl: postgres.urls.owner, clickhouseUrls: {}, log: () => undefined });
    return await measure(postgres.urls);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
