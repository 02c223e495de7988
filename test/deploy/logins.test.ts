// deploy/postgres/logins.sql, run by psql if it is installed.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../embedded/postgres.ts';
import { ALL_ENTITIES } from '../../graphql-api/app/all-entities.ts';
import { openDatabase } from '../../graphql-api/platform/database/database.ts';
import { migrate } from '../../migrations/migrate.ts';
import { newDirectory } from '../harness/run-directory.ts';

const FILE = join(import.meta.dirname, '..', '..', 'deploy', 'postgres', 'logins.sql');
const run = promisify(execFile);
const hasPsql = await run('psql', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!hasPsql)(
  'the logins can migrate and serve, and a second run renews them',
  async () => {
    const dataDir = await newDirectory('logins');
    const postgres = await startPostgres({ dataDir, port: 0 });
    onTestFinished(() => postgres.stop());
    const passwords = await readFile(join(dataDir, 'passwords.json'), 'utf8');
    const { superuser } = JSON.parse(passwords) as { superuser: string };
    const address = (login: string, database: string) =>
      `postgres://${login}@127.0.0.1:${postgres.port}/${database}`;
    const admin = address(`postgres:${superuser}`, 'postgres');
    await query(admin, 'DROP DATABASE service');
    for (const role of ['service_app', 'service_system', 'service_owner'])
      await query(admin, `DROP ROLE ${role}`);

    await createLogins(admin, "it's first");
    await createLogins(admin, 'second');
    const owner = address('engagement:second', 'engagement');
    await migrate({ databaseUrl: owner, clickhouseUrls: {}, log: () => undefined });
    const urls = {
      app: address('service_app:second', 'engagement'),
      system: address('service_system:second', 'engagement'),
    };
    const database = await openDatabase({
      urls,
      poolMax: 2,
      entities: ALL_ENTITIES,
      log: { warn: () => undefined },
    });
    onTestFinished(() => database.close());
    // A connection whose role has missing or additional privileges is refused.
    await database.asSystem(em => em.execute('SELECT FROM organizations'));
    await database.asTenant(randomUUID(), em => em.execute('SELECT FROM organizations'));
    await query(urls.system, 'SELECT FROM pgboss.job');
    await expect(query(urls.app, 'SELECT FROM pgboss.job')).rejects.toThrow('permission denied');
  },
);

async function createLogins(admin: string, password: string): Promise<void> {
  const values = { database: 'engagement', owner: 'engagement' };
  const secrets = { owner_password: password, app_password: password, system_password: password };
  const variables = Object.entries({ ON_ERROR_STOP: '1', ...values, ...secrets });
  const settings = variables.map(([name, value]) => `--set=${name}=${value}`);
  await run('psql', ['--no-psqlrc', ...settings, `--file=${FILE}`, admin]);
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
