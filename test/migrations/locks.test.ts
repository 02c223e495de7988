// A migration beside long transactions and the requests of running programs.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { newDatabases, newMigrations, postgresRows, run, withClient } from './sample-migrations.ts';

test.concurrent('requests do not wait behind a migration that waits for a lock', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  await writeFile(
    join(directory, 'postgres', '0002_age.sql'),
    'ALTER TABLE people ADD COLUMN age int;',
  );
  const lines: string[] = [];
  const migrating = await withClient(databases.databaseUrl, async holder => {
    await holder.query('BEGIN; SELECT * FROM people');
    const migrating = run(databases, directory, { log: line => lines.push(line) });
    await eventually(async () =>
      expect(await postgresRows(databases.databaseUrl, WAITING)).toEqual([{ waiting: 1 }]),
    );
    // Resolves while the transaction is open, although the migration asked for its lock earlier.
    expect(await postgresRows(databases.databaseUrl, 'SELECT * FROM people')).toEqual([]);
    await eventually(() =>
      expect(lines).toEqual([
        'Postgres: 0002_age needs a lock that another transaction holds; trying again',
      ]),
    );
    await holder.query('COMMIT');
    return migrating;
  });
  expect(migrating).toContain('Postgres: applied 0002_age');
});

test.concurrent('a migration that waits for a lock can be stopped', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  await writeFile(join(directory, 'postgres', '0002_age.sql'), 'ALTER TABLE people ADD age int;');
  const stopping = new AbortController();
  await withClient(databases.databaseUrl, async holder => {
    await holder.query('BEGIN; SELECT * FROM people');
    const { signal } = stopping;
    const log = (line: string) => {
      if (line.includes('needs a lock')) stopping.abort(new Error('told to stop'));
    };
    await expect(run(databases, directory, { signal, log })).rejects.toThrow('told to stop');
  });
  expect(await run(databases, directory)).toContain('Postgres: applied 0002_age');
});

test.concurrent('an index is built concurrently while another migration waits', async () => {
  const databases = await newDatabases();
  const directory = await newMigrations();
  await run(databases, directory);
  await writeFile(
    join(directory, 'postgres', '0002_index.sql'),
    `-- @without-transaction
DROP INDEX CONCURRENTLY IF EXISTS people_by_id;
CREATE INDEX CONCURRENTLY people_by_id ON people (id);`,
  );
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  await withClient(databases.databaseUrl, async holder => {
    // The build waits for this transaction, because it could still see rows that the index lacks.
    await holder.query('BEGIN; INSERT INTO people VALUES (1)');
    const both = Promise.all([1, 2].map(() => run(databases, directory, { log })));
    await eventually(() => expect(lines).toContain('Waiting for another migration to finish'));
    await eventually(async () =>
      expect(await postgresRows(databases.databaseUrl, BUILDING)).toEqual([{ building: 1 }]),
    );
    await holder.query('COMMIT');
    await both;
  });
  expect(lines.filter(line => line === 'Postgres: applied 0002_index')).toHaveLength(1);
  const valid = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'people_by_id'::regclass`;
  expect(await postgresRows(databases.databaseUrl, valid)).toEqual([{ indisvalid: true }]);
});

const WAITING = `
  SELECT count(*)::int AS waiting FROM pg_locks
  WHERE NOT granted AND relation = 'people'::regclass AND mode = 'AccessExclusiveLock'`;
const BUILDING = `
  SELECT count(*)::int AS building FROM pg_stat_progress_create_index
  WHERE datname = current_database() AND phase LIKE 'waiting for%'`;
