// Ingest removes delivered segments early if they need too much space. A backup that would lack
// their rows fails.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { backup, type Result } from '../harness/backup-command.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import type { Tenant } from '../harness/tenant.ts';

/** Ingest keeps a quarter of it of delivered segments: one, but not two of `sendLargeEvents`. */
const SPOOL_MAX_BYTES = String(1024 * 1024);

/** Resolves when a segment of 200 KB is delivered. */
async function sendLargeEvents(ingest: IngestProcess, { writeKey }: Tenant): Promise<void> {
  const properties = JSON.stringify({ text: 'x'.repeat(8_000) });
  const events = Array.from({ length: 25 }, () => eventOf(newMessageId(), { properties }));
  expectAccepted(await postEvents(ingest, writeKey, events), events.length);
  await untilDrained(ingest);
}

/** Runs `create` and, after the moment as of which it copies Postgres, the work. */
async function createDuring(
  args: readonly string[],
  places: Readonly<Record<'DATABASE_URL' | 'DATA_DIR', string>>,
  work: () => Promise<void>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: places.DATABASE_URL });
  await client.connect();
  try {
    await client.query('BEGIN');
    // Ingest does not use this table.
    await client.query('LOCK TABLE wallets IN ACCESS EXCLUSIVE MODE');
    const creating = backup(['create', ...args], places);
    await eventually(async () => {
      const waiting = await client.query(
        "SELECT FROM pg_locks WHERE relation = 'wallets'::regclass AND NOT granted",
      );
      expect(waiting.rowCount).toBe(1);
    });
    await work();
    await client.query('ROLLBACK');
    return await creating;
  } finally {
    await client.end();
  }
}

test('create fails if segments that were delivered during the backup are gone, and only then', async ({
  onTestFinished,
}) => {
  const database = await ownDatabase();
  const ingest = await startIngest({
    threads: 1,
    env: { DATABASE_SYSTEM_URL: database.system, SPOOL_MAX_BYTES },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  const tenant = await liveTenant(ingest, { databaseUrl: database.owner });
  const places = { DATABASE_URL: database.owner, DATA_DIR: ingest.dataDirectory };
  const directory = join(await newDirectory('backups'), 'first');
  const create = ['--to', directory, '--only', 'postgres', '--only', 'spool'];
  const log = join(ingest.dataDirectory, 'ingest', 'spool', 'default', '0');
  const oldest = async () =>
    (await readdir(log))
      .filter(name => name.endsWith('.segment'))
      .sort()
      .at(0)!;
  const untilRemoved = (name: string) =>
    eventually(async () => expect(await readdir(log)).not.toContain(name));

  const refused = await createDuring(create, places, async () => {
    const first = await oldest();
    await sendLargeEvents(ingest, tenant);
    await sendLargeEvents(ingest, tenant);
    await untilRemoved(first);
  });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('no longer has all rows'),
  ]);
  expect(await readdir(directory)).toEqual([]);

  const created = await createDuring(create, places, async () => {
    const deliveredBefore = await oldest();
    await ingest.stop();
    await ingest.restart();
    await sendLargeEvents(ingest, tenant);
    await untilRemoved(deliveredBefore);
  });
  expect(created.code, created.stderr).toBe(0);
});
