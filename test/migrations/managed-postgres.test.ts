import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../embedded/postgres.ts';
import { migrate } from '../../migrations/migrate.ts';
import { databaseUrls } from '../../schema/environment/database-urls.ts';
import { startApi } from '../graphql-api/harness/api-process.ts';
import { newDirectory } from '../harness/run-directory.ts';

async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

test('a database of another name, whose owner is not a superuser, as in managed Postgres, is sufficient', async () => {
  const dataDir = await newDirectory('managed');
  const postgres = await startPostgres({ dataDir, port: 0 });
  onTestFinished(() => postgres.stop());
  const passwords = JSON.parse(await readFile(join(dataDir, 'passwords.json'), 'utf8')) as {
    superuser: string;
  };
  const host = `127.0.0.1:${postgres.port}`;
  await query(
    `postgres://postgres:${passwords.superuser}@${host}/postgres`,
    'DROP DATABASE service',
    'DROP ROLE service_app',
    'DROP ROLE service_system',
    "CREATE ROLE managed LOGIN CREATEROLE PASSWORD 'managed'",
    'CREATE DATABASE managed OWNER managed',
  );
  const databaseUrl = `postgres://managed:managed@${host}/managed`;
  await migrate({ databaseUrl, clickhouseUrls: {}, log: () => undefined });
  const { app, system } = databaseUrls({ DATABASE_URL: databaseUrl });
  const whoAmI = 'SELECT current_user AS name';
  expect(await query(app, whoAmI)).toEqual([{ name: 'service_app' }]);
  expect(await query(system, whoAmI)).toEqual([{ name: 'service_system' }]);
  // Here, no database has the name that embedded Postgres uses.
  const api = await startApi({
    env: { DATABASE_URL: databaseUrl, DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system },
  });
  expect(await api.stop()).toBe(0);
});
