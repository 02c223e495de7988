// A full spool survives an upgrade: today's code inserts segments of every release, each row once
// and with its original values.

import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeSegmentHeader } from '../../ingest/spool/segment-header.ts';
import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { untilDrained } from '../harness/copies.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { sql } from '../harness/tenant.ts';
import { makeSegment, SEGMENTS, WORKSPACE_ID } from './make.ts';
import { type Rows, readRows } from './read-rows.ts';

const clickhouse = useClickHouse();
const NAMES = (await readdir(SEGMENTS))
  .filter(name => name.endsWith('.segment'))
  .map(name => name.slice(0, -'.segment'.length))
  .sort();

async function goldenRows(name: string): Promise<Rows> {
  return JSON.parse(await readFile(join(SEGMENTS, `${name}.rows.json`), 'utf8')) as Rows;
}

test('the newest golden segment equals the output of the current code (otherwise raise encoderVersion and run `npm run golden`)', async () => {
  const segment = await makeSegment();
  const header = decodeSegmentHeader(segment)!.header;
  expect(header.tables).toEqual(ALL_TABLES);
  expect(Object.keys(await readRows(segment)).sort()).toEqual(
    ALL_TABLES.map(({ name }) => name).sort(),
  );
  const newest = await readFile(join(SEGMENTS, `${NAMES.at(-1)}.segment`));
  expect(decodeSegmentHeader(newest)!.header.tables).toEqual(header.tables);
  expect(await readRows(segment)).toEqual(await goldenRows(NAMES.at(-1)!));
  expect(segment.equals(newest)).toBe(true);
});

test('the columns of a table never change under the same encoder version', async () => {
  const shapes = new Map<string, unknown>();
  for (const name of NAMES) {
    const { header } = decodeSegmentHeader(await readFile(join(SEGMENTS, `${name}.segment`)))!;
    for (const { id, name: table, encoderVersion, columns } of header.tables) {
      const key = `${id} version ${encoderVersion}`;
      const shape = { table, columns };
      expect(shapes.get(key) ?? shape, `${name}: ${key}`).toEqual(shape);
      shapes.set(key, shape);
    }
  }
});

test('every golden segment is inserted, every row once, and nothing again after that', async context => {
  const database = await ownDatabase();
  await addWorkspace(database.owner);
  const dataDirectory = await newDirectory('golden');
  const log = join(dataDirectory, 'ingest', 'spool', 'default', '0');
  await mkdir(log, { recursive: true });
  for (const [i, name] of NAMES.entries()) {
    const file = `${String(i + 1).padStart(12, '0')}.segment`;
    await copyFile(join(SEGMENTS, `${name}.segment`), join(log, file));
  }
  const ingest = await startIngest({
    threads: 1,
    env: {
      DATA_DIR: dataDirectory,
      CLICKHOUSE_URL: clickhouse().url,
      DATABASE_SYSTEM_URL: database.system,
    },
  });
  context.onTestFinished(async () => void (await ingest.kill9()));
  await untilDrained(ingest);
  await expectAllOnce(database.owner);
  // At the next start the segments still exist, but without cursors.
  await ingest.kill9();
  for (const reader of ['clickhouse', 'outbox']) await rm(join(log, `${reader}.cursor`));
  await ingest.restart();
  await untilDrained(ingest);
  await expectAllOnce(database.owner);
  const samples = await metrics(ingest);
  expect(sumOf(samples, /^ingest_insert_rows_total$/)).toBe(0);
  expect(sumOf(samples, /^ingest_insert_already_present_total$/)).toBeGreaterThan(NAMES.length);
  expect(sumOf(samples, /^ingest_spool_(damaged|torn)_bytes_total$/)).toBe(0);
});

async function expectAllOnce(databaseUrl: string): Promise<void> {
  for (const name of NAMES) {
    const golden = await goldenRows(name);
    for (const [table, rows] of Object.entries(golden)) {
      if (table.startsWith('outbox_')) continue;
      const columns = Object.keys(rows[0]!).join(', ');
      const found = await clickhouse().rows(
        `SELECT ${columns} FROM ${table} WHERE batch_id = {id:UUID} ORDER BY batch_row`,
        { id: String(rows[0]!.batch_id) },
      );
      expect(found, `${name}: ${table}`).toEqual(rows);
    }
    await expectInPostgres(golden, databaseUrl);
  }
}

async function expectInPostgres(golden: Rows, databaseUrl: string): Promise<void> {
  const exposures = golden.outbox_exposures ?? [];
  const foundExposures = await sql(
    'SELECT id, campaign_id, event_type FROM exposures WHERE id = ANY ($1)',
    [exposures.map(row => row.exposure_id)],
    databaseUrl,
  );
  expect(foundExposures).toEqual(
    exposures.map(({ exposure_id: id, campaign_id, event_type }) => ({
      id,
      campaign_id,
      event_type,
    })),
  );
  const events = (golden.outbox_outbound_events ?? []).toSorted((a, b) =>
    String(a.event_id) < String(b.event_id) ? -1 : 1,
  );
  const foundEvents = await sql(
    'SELECT id, type, payload FROM outbound_events WHERE id = ANY ($1) ORDER BY id',
    [events.map(row => row.event_id)],
    databaseUrl,
  );
  expect(foundEvents).toEqual(
    events.map(({ event_id: id, type, payload }) => ({
      id,
      type,
      payload: JSON.parse(String(payload)) as unknown,
    })),
  );
  for (const { user_id, anonymous_id, traits } of golden.outbox_contact_updates ?? [])
    expect(
      await sql(
        'SELECT anonymous_id, traits = $2::jsonb AS as_sent FROM contacts WHERE user_id = $1',
        [user_id, traits],
        databaseUrl,
      ),
    ).toEqual([{ anonymous_id, as_sent: true }]);
}

async function addWorkspace(databaseUrl: string): Promise<void> {
  const [cellId, organizationId] = [WORKSPACE_ID, WORKSPACE_ID];
  const run = (text: string, values: unknown[]) => sql(text, values, databaseUrl);
  await run(
    `INSERT INTO cells (id, slug, region, is_enabled) VALUES ($1, 'default', 'test', true)
     ON CONFLICT (slug) DO NOTHING`,
    [cellId],
  );
  await run(`INSERT INTO organizations (id, name) VALUES ($1, 'Golden')`, [organizationId]);
  await run(
    `INSERT INTO workspaces (id, organization_id, cell_id, name)
     SELECT $1, $2, id, 'Golden' FROM cells WHERE slug = 'default'`,
    [WORKSPACE_ID, organizationId],
  );
}
