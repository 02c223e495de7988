// Removes a node with `npm run spool -- drain`: it refuses events and delivers those that it has, even after
// a kill and an outage of ClickHouse. Afterwards, no event is lost if the disk is removed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { EACH_ONCE, tally } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import type { Tenant } from '../harness/tenant.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SENDERS = 4;
const EVENTS_PER_BATCH = 5;

const clickhouse = useClickHouse();

test('a node that is drained under load and loses its disk loses nothing', async hooks => {
  const { ingest, tenant } = await openScene(hooks);
  const traffic = startTraffic(ingest, tenant);
  await eventually(async () => expect(traffic.acknowledged.length).toBeGreaterThan(100));

  const drain = startDrain(hooks, ingest);
  expect(await drain.ended).toBe(0);
  expect(drain.output()).toContain('The spool is empty');
  await eventually(async () => expect(traffic.refused()).toBeGreaterThan(SENDERS));
  await traffic.stop();
  expect(await readiness(ingest)).toMatchObject({ status: 503, drained: true });

  await ingest.kill9();
  await rm(ingest.dataDirectory, { recursive: true });
  await expectEachOnce(tenant, traffic.acknowledged);
});

test('a drain waits for ClickHouse and outlives a kill of the node', async hooks => {
  const { ingest, warehouse, tenant } = await openScene(hooks);
  warehouse.refuseConnections(true);
  const acknowledged = await sendBatch(ingest, tenant);

  const drain = startDrain(hooks, ingest);
  await eventually(async () => expect(drain.output()).toContain('The node accepts no events; '));
  await onEveryThread(async () => {
    const answer = await postEvents(ingest, tenant.writeKey, [eventOf(newMessageId())]);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
    expect(await readiness(ingest)).toMatchObject({ status: 503, drained: false });
  });

  await ingest.kill9();
  await ingest.restart({}, false);
  await eventually(() =>
    onEveryThread(async () => {
      expect(await readiness(ingest)).toMatchObject({ status: 503, drained: false });
      const answer = await postEvents(ingest, tenant.writeKey, [eventOf(newMessageId())]);
      expect(answer.status).toBe(503);
    }),
  );
  expect(drain.isRunning()).toBe(true);

  warehouse.refuseConnections(false);
  expect(await drain.ended).toBe(0);
  await expectEachOnce(tenant, acknowledged);

  await ingest.stop();
  await rm(join(ingest.dataDirectory, 'ingest', 'drain'));
  await ingest.restart();
  await eventually(async () => {
    await sendBatch(ingest, tenant);
  });
});

async function openScene({ onTestFinished, onTestFailed }: TestContext) {
  const warehouse = await startFaultProxy(clickhouse().url);
  onTestFinished(() => warehouse.close());
  const ingest = await startIngest({ env: { CLICKHOUSE_URL: warehouse.url } });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  return { ingest, warehouse, tenant: await liveTenant(ingest) };
}

async function sendBatch(ingest: IngestProcess, tenant: Tenant): Promise<string[]> {
  const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
  const answer = await postEvents(
    ingest,
    tenant.writeKey,
    ids.map(id => eventOf(id)),
  );
  expectAccepted(answer, ids.length);
  return ids;
}

/** Sends batches until it is stopped, and goes on after refusals and lost connections. */
function startTraffic(ingest: IngestProcess, tenant: Tenant) {
  const acknowledged: string[] = [];
  let refused = 0;
  let isStopping = false;

  async function sendMany(): Promise<void> {
    while (!isStopping) {
      const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
      const batch = ids.map(id => eventOf(id));
      const answer = await postEvents(ingest, tenant.writeKey, batch).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(...ids);
      if (answer?.status === 503) refused++;
    }
  }

  const sending = Promise.all(Array.from({ length: SENDERS }, sendMany));
  return {
    acknowledged,
    refused: () => refused,
    async stop(): Promise<void> {
      isStopping = true;
      await sending;
    },
  };
}

function startDrain({ onTestFinished }: TestContext, { dataDirectory }: IngestProcess) {
  const main = join(ROOT, 'ingest', 'spool-command', 'main.ts');
  const command: ChildProcess = spawn(process.execPath, [main, 'drain'], {
    env: { ...process.env, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void command.kill());
  let output = '';
  for (const stream of [command.stdout, command.stderr])
    stream?.on('data', piece => {
      output += piece;
    });
  return {
    ended: once(command, 'close').then(([code]) => code as number | null),
    output: () => output,
    isRunning: () => command.exitCode === null,
  };
}

async function readiness(ingest: IngestProcess): Promise<object> {
  const answer = await send(`${ingest.url}/readyz`, { method: 'GET' });
  return { status: answer.status, drained: (answer.json() as { drained?: boolean }).drained };
}

function expectEachOnce({ workspaceId }: Tenant, ids: readonly string[]): Promise<void> {
  return eventually(async () => {
    const found = await tally(clickhouse(), 'events_raw', workspaceId, ids);
    expect({ ...found, neverSent: [] }).toEqual(EACH_ONCE);
  });
}
