// Statements over a link: each is its own transaction, whose COMMIT decides the outcome.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresLink } from '../../../ingest/postgres/postgres-link.ts';
import type { Transactions } from '../../../ingest/postgres/transactions.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { sql } from '../../harness/tenant.ts';
import { silentLog } from '../authenticate/silent-log.ts';

const TIMEOUT_MS = 200;
const INSERT = 'INSERT INTO words (word) VALUES ($1)';

let owner: string;
let link: PostgresLink;
beforeAll(async () => {
  ({ owner } = await ownDatabase());
  await sql(
    `CREATE TABLE words (word text UNIQUE);
     CREATE TABLE late_words (word text UNIQUE DEFERRABLE INITIALLY DEFERRED)`,
    [],
    owner,
  );
  link = new PostgresLink({
    databaseUrl: owner,
    name: 'transactions-test',
    statementTimeoutMs: TIMEOUT_MS,
    log: silentLog,
  });
});
afterAll(async () => {
  await link.stop();
});

const connected = () =>
  eventually(async () => {
    expect(link.client).toBeDefined();
    return link.client!;
  });

const wordsIn = async (table: string) =>
  (await sql(`SELECT word FROM ${table} ORDER BY 1`, [], owner)).map(({ word }) => word);

async function backend(client: Transactions): Promise<unknown> {
  const { rows } = await client.query({ text: 'SELECT pg_backend_pid() AS pid' });
  return rows[0]!.pid;
}

test('a refused statement changes nothing, and the next one on its connection works', async () => {
  const client = await connected();
  const before = await backend(client);
  const outcomes = await Promise.allSettled([
    client.query({ text: INSERT, values: ['one'] }),
    client.query({ text: INSERT, values: ['one'] }),
    client.query({ text: INSERT, values: ['two'] }),
  ]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { rowCount: 1 } },
    { status: 'rejected', reason: { code: '23505', detail: expect.stringContaining('one') } },
    { status: 'fulfilled', value: { rowCount: 1 } },
  ]);
  expect(await wordsIn('words')).toEqual(['one', 'two']);
  expect(await backend(client)).toBe(before);
});

test('a statement whose COMMIT is refused has failed', async () => {
  const client = await connected();
  const text = 'INSERT INTO late_words VALUES ($1), ($1)';
  await expect(client.query({ text, values: ['same'] })).rejects.toMatchObject({ code: '23505' });
  expect(await wordsIn('late_words')).toEqual([]);
  expect(link.client).toBe(client);
});

test('a statement that takes too long is cancelled, and the connection remains', async () => {
  const client = await connected();
  const slow = client.query({ text: 'SELECT pg_sleep(30)', timeoutMs: 20 });
  await expect(slow).rejects.toMatchObject({ code: '57014' });
  const { rows } = await client.query({ text: 'SHOW statement_timeout' });
  expect(rows).toEqual([{ statement_timeout: `${TIMEOUT_MS}ms` }]);
  expect(link.client).toBe(client);
});

test('a statement whose turn comes too late is not run, and the connection remains', async () => {
  const client = await connected();
  const slow = client.query({
    text: `SELECT pg_sleep(${(2 * TIMEOUT_MS) / 1000})`,
    timeoutMs: 30_000,
  });
  await expect(client.query({ text: INSERT, values: ['late'] })).rejects.toThrow('too long');
  await slow;
  expect(await wordsIn('words')).not.toContain('late');
  expect(link.client).toBe(client);
});

test('nothing of a transaction outlasts it', async () => {
  const client = await connected();
  await client.transaction({ timeoutMs: 1_234 }, async transaction => {
    const { rows } = await transaction.query({ text: 'SHOW statement_timeout' });
    expect(rows).toEqual([{ statement_timeout: '1234ms' }]);
  });
  const { rows } = await client.query({
    text: `SELECT count(*)::int AS prepared FROM pg_prepared_statements WHERE name <> ''`,
  });
  expect(rows).toEqual([{ prepared: 0 }]);
});

test('a transaction that fails is rolled back, with its connection', async () => {
  const client = await connected();
  const fault = new Error('a fault of the caller');
  const failing = client.transaction({ timeoutMs: TIMEOUT_MS }, async transaction => {
    await transaction.query({ text: INSERT, values: ['never'] });
    throw fault;
  });
  const waiting = client.query({ text: INSERT, values: ['waiting'] });
  await expect(failing).rejects.toBe(fault);
  await expect(waiting).rejects.toThrow('The connection to Postgres was lost.');
  await eventually(async () => expect(await connected()).not.toBe(client));
  const words = await wordsIn('words');
  expect(words.filter(word => word === 'never' || word === 'waiting')).toEqual([]);
});

test('a server that has become read-only is left', async () => {
  const client = await connected();
  const change = client.query({ text: 'SET TRANSACTION READ ONLY; DELETE FROM words' });
  await expect(change).rejects.toMatchObject({ code: '25006' });
  await eventually(async () => expect(await connected()).not.toBe(client));
});
