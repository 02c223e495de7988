// Payments and contacts that were stored before there was a search are found by it.

import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { migrate } from '../../migrations/migrate.ts';
import { splitPostgresStatements } from '../../migrations/postgres-sql.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { newDatabases, postgresRows, withClient } from './sample-migrations.ts';

const OURS = join(import.meta.dirname, '..', '..', 'migrations', 'postgres');

test.concurrent('0079 adds the words of stored links and orders', async () => {
  const { databaseUrl, workspaceId, migrateRest } = await databaseBefore('0078');
  const objects = [
    ['link', 'shoes', workspaceId, 'Tennis SHOES, red — tennis'],
    ['link', 'of-the-platform', null, 'Plan of July'],
    ['order', 'socks', workspaceId, '2 pairs/Größe 42'],
    ['order', 'without-a-note', workspaceId, null],
  ] as const;
  await withClient(databaseUrl, async client => {
    for (const [kind, id, workspace, text] of objects)
      await client.query(
        `INSERT INTO gateway_${kind}s (id, account_id, workspace_id, ${kind}_id, amount_minor, currency,
           ${kind === 'link' ? 'purpose' : 'note'})
         VALUES ($1, $2, $3, $4, 100, 'INR', $5)`,
        [uuidv7(), workspaceId, workspace, id, text],
      );
  });
  await migrateRest();
  const words = () => postgresRows(databaseUrl, WORDS);
  const found = await words();
  expect(found).toEqual([
    { object: 'link shoes', words: 'red shoes tennis', written: expect.any(String) },
    { object: 'order socks', words: '2 42 größe pairs', written: expect.any(String) },
  ]);
  await applyAgain(databaseUrl, '0079_described_words_of_stored.sql');
  expect(await words()).toEqual(found);
});

test.concurrent('0081 adds the search terms of stored contacts, in several batches', async () => {
  const { databaseUrl, workspaceId, migrateRest } = await databaseBefore('0080');
  await withClient(databaseUrl, async client => {
    const people = [
      ['User-1', { name: 'Priya Das', email: 'PRIYA@shop.example', plan: 'pro' }],
      ['u-2', { first_name: 'Asha', last_name: 'Rao' }],
      ['u-3', {}],
    ] as const;
    for (const [userId, traits] of people)
      await client.query(
        'INSERT INTO contacts (id, workspace_id, user_id, traits) VALUES ($1, $2, $3, $4)',
        [uuidv7(), workspaceId, userId, traits],
      );
    await client.query(
      `INSERT INTO contacts (id, workspace_id, user_id)
       SELECT gen_random_uuid(), $1, 'crowd-' || n FROM generate_series(1, 2500) AS n`,
      [workspaceId],
    );
  });
  await migrateRest();
  const terms = () => postgresRows(databaseUrl, TERMS);
  const found = await terms();
  const written = expect.any(String);
  expect(found.slice(0, 3)).toEqual([
    { user_id: 'User-1', terms: ['das', 'priya das', 'priya@shop.example', 'user-1'], written },
    { user_id: 'u-2', terms: ['asha rao', 'rao', 'u-2'], written },
    { user_id: 'u-3', terms: ['u-3'], written },
  ]);
  expect(found).toHaveLength(2_503);
  await applyAgain(databaseUrl, '0081_search_earlier_contacts.sql');
  expect(await terms()).toEqual(found);
});

// `written` differs if a row was deleted and added again.
const WORDS = `
  SELECT object_kind || ' ' || object_id AS object, string_agg(word, ' ' ORDER BY word) AS words,
    string_agg(xmin::text, ' ' ORDER BY word) AS written
  FROM gateway_described_words GROUP BY 1 ORDER BY 1`;
const TERMS = `
  SELECT user_id, array_agg(term ORDER BY term COLLATE "C") AS terms,
    string_agg(contact_search_terms.xmin::text, ' ' ORDER BY term COLLATE "C") AS written
  FROM contacts LEFT JOIN contact_search_terms ON contact_id = contacts.id
  GROUP BY user_id ORDER BY user_id LIKE 'crowd-%', user_id COLLATE "C"`;

/** A database as before this migration, with a workspace. */
async function databaseBefore(version: string) {
  const { databaseUrl } = await newDatabases();
  const directory = await newDirectory('migrations');
  await mkdir(join(directory, 'postgres'));
  await mkdir(join(directory, 'clickhouse'));
  const files = (await readdir(OURS)).filter(file => file.endsWith('.sql'));
  const earlier = files.filter(file => file < version);
  for (const file of earlier) await copyFile(join(OURS, file), join(directory, 'postgres', file));
  const own = { databaseUrl, clickhouseUrls: {}, log: () => undefined };
  await migrate({ ...own, directory });
  const [organizationId, cellId, workspaceId] = [uuidv7(), uuidv7(), uuidv7()];
  await withClient(databaseUrl, async client => {
    await client.query(`INSERT INTO organizations (id, name) VALUES ($1, 'o')`, [organizationId]);
    await client.query(`INSERT INTO cells (id, slug, region) VALUES ($1, 'c', 'r')`, [cellId]);
    await client.query(
      `INSERT INTO workspaces (id, organization_id, cell_id, name) VALUES ($1, $2, $3, 'w')`,
      [workspaceId, organizationId, cellId],
    );
  });
  return { databaseUrl, workspaceId, migrateRest: () => migrate(own) };
}

async function applyAgain(databaseUrl: string, file: string): Promise<void> {
  const statements = splitPostgresStatements(await readFile(join(OURS, file), 'utf8'));
  await withClient(databaseUrl, async client => {
    for (const statement of statements) await client.query(statement);
  });
}
