// Consecutive transactions on the same connection do not affect each other.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ALL_ENTITIES } from '../../../../graphql-api/app/all-entities.ts';
import { isConnectionError } from '../../../../graphql-api/platform/connection-error.ts';
import { type Database, openDatabase } from '../../../../graphql-api/platform/database/database.ts';
import { withinTimeLimit } from '../../../../graphql-api/platform/database/within-time-limit.ts';
import { SdkKey } from '../../../../graphql-api/tenancy/sdk-key.entity.ts';
import { eventually } from '../../../harness/eventually.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { startTcpGate } from '../../../harness/tcp-gate.ts';
import { createTenant, sql } from '../../../harness/tenant.ts';

/** Its own, because its tables would be in a backup of the one that other tests use. */
let urls: Awaited<ReturnType<typeof ownDatabase>>;
beforeAll(async () => {
  urls = await ownDatabase();
});

function query(text: string, values: unknown[] = []) {
  return sql(text, values, urls.owner);
}

/**
 * The pool returns the last released connection, so each transaction reuses that of the previous
 * one.
 */
async function open(app = urls.app): Promise<Database> {
  const database = await openDatabase({
    urls: { ...urls, app },
    poolMax: 2,
    entities: ALL_ENTITIES,
    log: { warn: () => undefined },
  });
  onTestFinished(() => database.close());
  return database;
}

/** Creates a table that only this test uses, with access for the application. */
async function createTable(): Promise<string> {
  const table = `changing_${randomBytes(6).toString('hex')}`;
  await query(`CREATE TABLE ${table} (number int)`);
  await query(`GRANT ALL ON ${table} TO service_app`);
  await query(`INSERT INTO ${table} VALUES (1)`);
  onTestFinished(async () => void (await query(`DROP TABLE ${table}`)));
  return table;
}

async function read(database: Database, organizationId: string, text: string) {
  const transaction = await database.openRead(organizationId);
  try {
    return await transaction.em.execute<Record<string, unknown>[]>(text, [1]);
  } finally {
    await transaction.close();
  }
}

test('each read has its own snapshot', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const [database, table] = [await open(), await createTable()];
  const text = `SELECT count(*)::int AS count FROM ${table} WHERE number >= ?`;
  for (let count = 1; count < 10; count++) {
    expect(await read(database, organizationId, text)).toEqual([{ count }]);
    await query(`INSERT INTO ${table} VALUES (1)`);
  }
});

test('a change after a read is committed, on the same connection', async () => {
  const { organizationId, keyId } = await createTenant({ databaseUrl: urls.owner });
  const database = await open();
  await read(database, organizationId, 'SELECT ? AS one');
  await database.asTenant(organizationId, em =>
    em.nativeUpdate(SdkKey, { id: keyId }, { name: 'after a read' }),
  );
  expect(await query('SELECT name FROM sdk_keys WHERE id = $1', [keyId])).toEqual([
    { name: 'after a read' },
  ]);
});

test('a read without further statements leaves no transaction open', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const [database, table] = [await open(), await createTable()];
  await read(database, organizationId, `SELECT number FROM ${table} WHERE number = ?`);
  await eventually(async () => {
    const open = await query(
      `SELECT state FROM pg_stat_activity
       WHERE state LIKE 'idle in transaction%' AND query LIKE '%' || $1 || '%'`,
      [table],
    );
    expect(open).toEqual([]);
  });
  // No lock is held: this statement would wait for a reader.
  await query(`ALTER TABLE ${table} ADD COLUMN other int`);
});

test('a failed read does not spoil the next one', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const database = await open();
  const broken = read(database, organizationId, 'SELECT 1 / (? - 1)::int AS never');
  await expect(broken).rejects.toThrow('division by zero');
  await eventually(() => read(database, organizationId, 'SELECT ?::int AS one'));
});

test('a read that reaches its own time limit does not spoil those that wait for it', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const reading = await (await open()).openRead(organizationId);
  onTestFinished(() => reading.close());
  const { em } = reading;
  const limitOf = () => em.execute('SHOW statement_timeout');
  const limit = await limitOf();
  let others: Promise<unknown[]> | undefined;
  const slow = withinTimeLimit(em, 50, async own => {
    expect(await own.execute('SHOW statement_timeout')).toEqual([{ statement_timeout: '50ms' }]);
    others = Promise.all([limitOf(), limitOf()]);
    return own.execute('SELECT pg_sleep(60)');
  });
  await expect(slow).rejects.toMatchObject({ code: '57014' });
  expect(await others).toEqual([limit, limit]);
  expect(await withinTimeLimit(em, 5_000, own => own.execute('SELECT 1 AS one'))).toEqual([
    { one: 1 },
  ]);
  expect(await limitOf()).toEqual(limit);
});

test('statements after a failed transaction change nothing', async () => {
  const [database, table] = [await open(), await createTable()];
  await query(`GRANT ALL ON ${table} TO service_system`);
  let left: Promise<unknown> | undefined;
  const failed = database.asSystem(async em => {
    await em.execute('SELECT ?', [1]);
    // Runs when the rollback has been sent to Postgres.
    left = nextTurn().then(() => em.execute(`INSERT INTO ${table} VALUES (?)`, [2]));
    left.catch(() => undefined);
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  await expect(left).rejects.toThrow();
  expect(await query(`SELECT number FROM ${table}`)).toEqual([{ number: 1 }]);
});

test('a change whose statement failed is not reported as committed, even if its error was caught', async () => {
  const [database, table] = [await open(), await createTable()];
  await query(`GRANT ALL ON ${table} TO service_system`);
  const change = database.asSystem(async em => {
    await em.execute(`INSERT INTO ${table} VALUES (?)`, [2]);
    await em.execute('SELECT 1 / (? - 1)::int', [1]).catch(() => undefined);
  });
  await expect(change).rejects.toThrow('the transaction ended with ROLLBACK');
  expect(await query(`SELECT number FROM ${table}`)).toEqual([{ number: 1 }]);
});

test('connections lost at the beginning of a transaction are replaced', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const gate = await startTcpGate('127.0.0.1', Number(new URL(urls.app).port));
  onTestFinished(() => gate.close());
  const app = new URL(urls.app);
  app.port = String(gate.port);
  const database = await open(app.href);
  for (let times = 0; times < 3; times++) {
    await eventually(() => read(database, organizationId, 'SELECT ?::int AS one'));
    gate.setHanging(true);
    const hanging = read(database, organizationId, 'SELECT ?::int AS one');
    hanging.catch(() => undefined);
    await nextTurn();
    gate.setOpen(false);
    await expect(hanging).rejects.toThrow();
    gate.setHanging(false);
    gate.setOpen(true);
  }
  await eventually(() => read(database, organizationId, 'SELECT ?::int AS one'));
});

test('a transaction that Postgres does not begin is refused, on old and new connections', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const gate = await startTcpGate('127.0.0.1', Number(new URL(urls.app).port));
  onTestFinished(() => gate.close());
  const app = new URL(urls.app);
  app.port = String(gate.port);
  const database = await open(app.href);
  await read(database, organizationId, 'SELECT ?::int AS one');
  gate.setHanging(true);
  const reads = [1, 2, 3].map(() => read(database, organizationId, 'SELECT ?::int AS one'));
  for (const one of await Promise.allSettled(reads)) {
    expect(one.status).toBe('rejected');
    expect(isConnectionError((one as PromiseRejectedResult).reason)).toBe(true);
  }
  gate.setHanging(false);
  expect(await read(database, organizationId, 'SELECT ?::int AS one')).toEqual([{ one: 1 }]);
});

test.runIf(process.env.TEST_LONG)('a statement that gets no response is refused', async () => {
  const { organizationId } = await createTenant({ databaseUrl: urls.owner });
  const gate = await startTcpGate('127.0.0.1', Number(new URL(urls.app).port));
  onTestFinished(() => gate.close());
  const app = new URL(urls.app);
  app.port = String(gate.port);
  const database = await open(app.href);
  const change = database.asTenant(organizationId, async em => {
    gate.setHanging(true);
    await em.execute('SELECT ?::int AS one', [1]);
  });
  const error: unknown = await change.catch((reason: unknown) => reason);
  expect(isConnectionError(error)).toBe(true);
  gate.setHanging(false);
  expect(await read(database, organizationId, 'SELECT ?::int AS one')).toEqual([{ one: 1 }]);
});
