// The programs refuse to start on a schema that does not serve their release.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { API_NODE_ARGS } from '../../embedded/api-node-args.ts';
import { OLDEST_RELEASE } from '../../migrations/record-release.ts';
import { readVersion } from '../../schema/environment/build-info.ts';
import { engines } from '../harness/engines.ts';
import { apiEnvironment, ingestEnvironment } from '../harness/environments.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { QUICK_START_ARGS } from '../harness/quick-start.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { sql } from '../harness/tenant.ts';
import { newDatabases, newMigrations, postgresRows, run } from './sample-migrations.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OWN = readVersion();
const RECORDED = 'SELECT release, oldest_release FROM schema_release';

test.concurrent('a migration records its release, and an earlier one does not lower it', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  const first = { release: OWN, oldest_release: OLDEST_RELEASE };
  expect(await postgresRows(databases.databaseUrl, RECORDED)).toEqual([first]);
  const later = { ...first, release: '98.2.10' };
  for (const release of ['98.2.10', '98.2.9']) {
    await run(databases, directory, { release });
    expect(await postgresRows(databases.databaseUrl, RECORDED)).toEqual([later]);
  }
});

test.concurrent('a dry run records nothing', async () => {
  const databases = await newDatabases();
  await run(databases, await newMigrations(), { isDryRun: true });
  const table = `SELECT to_regclass('schema_release') AS name`;
  expect(await postgresRows(databases.databaseUrl, table)).toEqual([{ name: null }]);
});

test.concurrent('a release that the schema no longer serves does not migrate it', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory, { release: '98.0.0' });
  const refused = run(databases, directory, { release: '0.0.9' });
  await expect(refused).rejects.toThrow(`works with release ${OLDEST_RELEASE} or later`);
});

test.concurrent.each([
  {
    state: 'too new',
    change: `UPDATE schema_release SET release = '99.1.0', oldest_release = '99.0.0'`,
    sentence: `The databases have the schema of release 99.1.0, which works with release 99.0.0 or later, but this is release ${OWN}: start release 99.1.0.`,
  },
  {
    state: 'too old',
    change: `UPDATE schema_release SET release = '0.0.9'`,
    sentence: `The databases have the schema of release 0.0.9, but this is release ${OWN}: run \`npm run migrate\` from release ${OWN}.`,
  },
  {
    state: 'missing',
    change: 'DROP TABLE schema_release, schema_migrations',
    sentence: `The databases have no schema yet: run \`npm run migrate\` from release ${OWN}.`,
  },
])('both programs end with one sentence if the schema is $state', async ({ change, sentence }) => {
  const databaseUrls = await ownDatabase();
  await sql(change, [], databaseUrls.owner);
  const own = { ...engines(), databaseUrls };
  const [ingest, api] = await Promise.all([
    outcome('ingest/main.ts', ingestEnvironment(own, await newDirectory('refused'), 1)),
    outcome('graphql-api/app/main.ts', apiEnvironment(own), API_NODE_ARGS),
  ]);
  expect(ingest).toEqual({ code: 1, output: expect.stringContaining(sentence) });
  expect(api).toEqual({ code: 1, output: `api cannot start: ${sentence}\n` });
});

async function outcome(
  script: string,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...nodeArgs, ...QUICK_START_ARGS, join(ROOT, script)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code: code as number, output: stdout + stderr };
}
