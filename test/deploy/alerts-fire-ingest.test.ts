// Each alert about ingest fires for a fault that a real Prometheus sees, and no alert fires before the faults.

import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { cutAt, flipBit, logDirectory, readSegments } from '../faults/spool-files.ts';
import { eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { liveTenant, postEvents } from '../harness/batch-client.ts';
import { OPEN_FILES_VARIABLE } from '../harness/few-open-files.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { type OwnClickHouse, useClickHouse } from '../harness/own-clickhouse.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { mayMount, type SmallDisk, smallDisk } from '../harness/small-disk.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import type { Tenant } from '../harness/tenant.ts';
import { hasPrometheus, watchAlerts } from './harness/prometheus.ts';

const OPEN_FILES_MAX = 140;
const MIB = 1024 ** 2;
/** Enough for the predicted growth, and little memory of this machine. */
const ROOMY_BYTES = 2048 * MIB;
const FULL_BYTES = 900 * MIB;

const clickhouse = useClickHouse();

test.skipIf(!hasPrometheus())('each alert fires for its fault', async () => {
  const disk = mayMount() ? await smallDisk(ROOMY_BYTES) : undefined;
  onTestFinished(() => disk?.remove());
  const { hostname, port } = new URL(inject('databaseUrls').system);
  const postgres = await startTcpGate(hostname, Number(port));
  onTestFinished(() => postgres.close());
  const ingest = await startIngest({
    threads: 1,
    dataDirectory: disk?.directory ?? (await newDirectory('ingest')),
    env: await environment(postgres.port),
  });
  onTestFinished(async () => void (await ingest.kill9()));
  const tenant = await liveTenant(ingest);
  const alerts = await watchAlerts('ingest', ingest.url);
  const nothing = async () => undefined;

  expect((await postEvents(ingest, tenant.writeKey, [eventText()])).status).toBe(200);
  await alerts.fireFor(
    ['EventsNotSettled'],
    firstOnly(() => keepFromSettling(clickhouse(), tenant)),
  );
  expect(await alerts.fired()).toEqual(['EventsNotSettled']);
  const capped = await liveTenant(ingest, { eventsPerMinute: 1 });
  await alerts.fireFor(['SenderThrottled'], async () => {
    for (let count = 0; count < 100; count++)
      await postEvents(ingest, capped.writeKey, [eventText()]);
  });
  await alerts.fireFor(['IngestConnectionsRefused'], () => crowd(ingest));
  if (disk !== undefined)
    await alerts.fireFor(
      ['DiskNearlyFull'],
      firstOnly(() => shrink(disk)),
    );

  await clickhouse().kill9();
  await alerts.fireFor(['InsertsFail', 'ReportsLate', 'ReportsVeryLate', 'SpoolFillsUp'], () =>
    flood(ingest, tenant),
  );
  postgres.setOpen(false);
  await alerts.fireFor(['ContactsAndWebhooksLate', 'IngestWithoutPostgres'], () =>
    identify(ingest, tenant),
  );

  await ingest.kill9();
  await damage(ingest);
  postgres.setOpen(true);
  await clickhouse().start();
  await ingest.restart();
  await alerts.fireFor(['Quarantined', 'RowsMissing', 'SpoolDamaged', 'SpoolEndMissing'], nothing);
  await rm(logDirectory(ingest), { recursive: true });
  await alerts.fireFor(['SpoolFails'], () => postEvents(ingest, tenant.writeKey, [eventText()]));
  await ingest.kill9();
  await alerts.fireFor(['IngestSilent', 'NodeSilent'], nothing);
  const possible = alerts.names.filter(name => disk !== undefined || name !== 'DiskNearlyFull');
  expect(await alerts.fired()).toEqual(possible);
});

async function environment(postgresPort: number): Promise<Record<string, string>> {
  const database = new URL(inject('databaseUrls').system);
  database.port = String(postgresPort);
  const preload = new URL('../harness/few-open-files.ts', import.meta.url).href;
  return {
    DATABASE_SYSTEM_URL: database.href,
    CLICKHOUSE_URL: clickhouse().url,
    // Prometheus asks the same address after a restart.
    INGEST_PORT: String(await freePort()),
    NODE_OPTIONS: `--import=${preload}`,
    [OPEN_FILES_VARIABLE]: String(OPEN_FILES_MAX),
  };
}

/** Does it at the first call only. */
function firstOnly(fault: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined;
  return () => (done ??= fault());
}

/** A day of ten days ago, in two parts that ClickHouse cannot merge. */
async function keepFromSettling(own: OwnClickHouse, { workspaceId }: Tenant): Promise<void> {
  await own.command('SYSTEM STOP MERGES events_raw');
  for (const part of ['one', 'two'])
    await own.command(
      `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at, inserted_at)
       SELECT '${workspaceId}', 'Old', '${part}', now() - INTERVAL 10 DAY AS at, at, at`,
    );
}

/** More connections than ingest has files for. */
async function crowd({ url }: IngestProcess): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: OPEN_FILES_MAX }, () =>
    connect(Number(port), hostname).on('error', () => undefined),
  );
  await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('connect', resolve))));
  for (const socket of sockets) socket.destroy();
}

async function shrink(disk: SmallDisk): Promise<void> {
  disk.resize(FULL_BYTES);
}

/** Megabytes a second. */
async function flood(ingest: IngestProcess, { writeKey }: Tenant): Promise<void> {
  const properties = JSON.stringify({ text: 'x'.repeat(30_000) });
  for (let count = 0; count < 10; count++)
    await postEvents(
      ingest,
      writeKey,
      Array.from({ length: 15 }, () => eventText({ properties })),
    );
}

async function identify(ingest: IngestProcess, { writeKey }: Tenant): Promise<void> {
  const id = newMessageId();
  const fields = { type: '"identify"', event: undefined, userId: JSON.stringify(id) };
  await postEvents(ingest, writeKey, [eventOf(id, fields)]);
}

/** Of a stopped process: a bit of one waiting segment, and the end of another. */
async function damage(ingest: IngestProcess): Promise<void> {
  const segments = await readSegments(logDirectory(ingest));
  const [flipped, cut] = segments.filter(({ isSealed }) => isSealed).slice(-2);
  await flipBit(flipped!, flipped!.frames[0]!.payloadStart + 40);
  await cutAt(cut!, cut!.frames.at(-1)!.end - 7);
}
