// Separate instances of Postgres, ClickHouse, ingest and the API, whose files a test may search.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { startClickHouse } from '../../../embedded/clickhouse/process.ts';
import { startPostgres } from '../../../embedded/postgres.ts';
import { WAREHOUSE_TABLES } from '../../../graphql-api/privacy/warehouse-tables.ts';
import { migrate } from '../../../migrations/migrate.ts';
import { startIngest } from '../../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../../harness/internal.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { startApi } from '../harness/api-process.ts';

export type PrivacyScene = Awaited<ReturnType<typeof privacyScene>>;

/** The minimum that ingest allows. Delivered segments may use a quarter of it. */
export const SPOOL_BYTES = 1024 * 1024;

export async function privacyScene() {
  const directories = {
    postgres: await newDirectory('own-postgres'),
    clickhouse: await newDirectory('own-clickhouse'),
  };
  const clockFile = join(await newDirectory('clock'), 'clock.json');
  const postgres = await startPostgres({ dataDir: directories.postgres, port: 0 });
  const clickhouse = await startClickHouse({ dataDir: directories.clickhouse, port: 0 });
  const { urls } = postgres;
  await migrate({
    databaseUrl: urls.owner,
    clickhouseUrls: { default: clickhouse.url },
    log: () => undefined,
  });
  const client = createClient({ url: clickhouse.url });
  const command = async (query: string) => void (await client.command({ query }));
  await forgetOldPartsSoon(command);
  const env = {
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    CLICKHOUSE_URL: clickhouse.url,
    INTERNAL_TOKEN,
  };
  const ingest = await startIngest({
    threads: 1,
    env: { ...env, SPOOL_MAX_BYTES: String(SPOOL_BYTES) },
  });
  const start = () => startApi({ env: { ...env, INGEST_URL: ingest.url, CLOCK_FILE: clockFile } });
  let api = await start();
  const tenant: Tenant = await createTenant({ databaseUrl: urls.owner });
  return {
    tenant,
    ingest,
    get api() {
      return api;
    },
    async killApi() {
      process.kill(api.pid, 'SIGKILL');
      api = await start();
    },
    directories: { ...directories, ingest: ingest.dataDirectory },
    command,
    query: (text: string, values?: unknown[]) => sql(text, values, urls.owner),
    /** Runs statements as the superuser, for data that Postgres keeps outside of tables. */
    async administer(statements: readonly string[]) {
      const { superuser } = JSON.parse(
        await readFile(join(directories.postgres, 'passwords.json'), 'utf8'),
      ) as { superuser: string };
      const url = new URL(urls.owner);
      url.username = 'postgres';
      url.password = superuser;
      for (const statement of statements) await sql(statement, [], url.href);
    },
    async rows<Row>(query: string): Promise<Row[]> {
      const { workspaceId } = tenant;
      const result = await client.query({
        query,
        query_params: { workspaceId },
        format: 'JSONEachRow',
      });
      return result.json<Row>();
    },
    setAheadMs: (aheadMs: number) => writeFile(clockFile, JSON.stringify({ aheadMs })),
    async close() {
      await api.stop();
      await ingest.stop();
      await client.close();
      await clickhouse.stop();
      await postgres.stop();
    },
  };
}

/** By default, ClickHouse keeps the parts replaced by a mutation for eight minutes. */
async function forgetOldPartsSoon(command: (query: string) => Promise<void>): Promise<void> {
  for (const { name } of WAREHOUSE_TABLES)
    await command(
      `ALTER TABLE ${name} MODIFY SETTING old_parts_lifetime = 1, cleanup_delay_period = 1,
         max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0`,
    );
}

/** The files in a directory that contain any of the byte sequences. */
export async function filesWith(directory: string, needles: readonly Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(ifGone);
    if (needles.some(needle => bytes.includes(needle))) found.push(path.slice(directory.length));
  }
  return found;
}

/** The engines delete files while they are being read. */
function ifGone(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0);
  throw error;
}
