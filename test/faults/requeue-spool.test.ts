// Runs `npm run spool` on a real node, running and stopped. Quarantined data is counted, listed and
// requeued, and is then stored once in ClickHouse and Postgres, even if one of them already had it.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, type TestContext, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents, untilKnown } from '../harness/batch-client.ts';
import { contactsOf } from '../harness/contact.ts';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { send } from '../harness/http.ts';
import { expectSuccess, IN_APP_EVENTS, postJson, reportOf } from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { outboundOf, postPush } from '../harness/push.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import {
  fillWithZeros,
  flipBit,
  logDirectory,
  readSegments,
  type SegmentFile,
  segmentPaths,
} from './spool-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EVENTS_PER_BATCH = 12;
const BATCHES = 3;

const clickhouse = useClickHouse();

test('intact segments that an outage had quarantined are requeued on a running node', async hooks => {
  const { ingest, warehouse, postgres, tenant } = await openScene(hooks);
  const traffic = createTraffic(ingest, tenant);
  // Creates rows that only Postgres has, rows that neither has, and rows that only ClickHouse has.
  warehouse.refuseConnections(true);
  await traffic.send();
  await eventually(async () => expect(await toldOf(tenant)).toEqual(traffic.people()));
  postgres.setOpen(false);
  await traffic.send();
  await setAllAside(ingest);
  warehouse.refuseConnections(false);
  await restart(ingest, tenant);
  const before = traffic.events.length;
  await traffic.send();
  await eventually(async () =>
    expect(await stored(tenant, traffic.events.slice(before))).toEqual(EACH_ONCE),
  );
  await setAllAside(ingest);
  postgres.setOpen(true);
  await restart(ingest, tenant);

  const names = await quarantined(ingest);
  expect(names.length).toBeGreaterThan(2);
  await eventually(async () => expect(await gauge(ingest)).toBe(names.length));
  expect((await readiness(ingest)).quarantined.default.files).toBe(names.length);
  expect((await spool(ingest, 'list')).text).toContain(names[0]);
  expect((await spool(ingest, 'verify')).code).toBe(0);

  expect(await spool(ingest, 'requeue')).toMatchObject({ code: 0 });
  await expectEachOnce(tenant, traffic);
  expect(await quarantined(ingest)).toEqual([]);
  await eventually(async () => expect(await gauge(ingest)).toBe(0));
  expect((await readiness(ingest)).quarantined).toEqual({});

  // Requeues the files again, as after a crash of the command before it had removed them.
  await untilDrained(ingest);
  await putBack(ingest);
  const again = (await spool(ingest, 'requeue', '--json')).text;
  expect(JSON.parse(again)).toHaveLength(names.length);
  await traffic.send();
  await eventually(async () => expect((await requeuedLogs(ingest)).length).toBe(2));
  await untilDrained(ingest);
  await expectEachOnce(tenant, traffic);
});

test('damaged segments of a stopped node: intact data is requeued at its start, the rest is reported', async hooks => {
  const { ingest, warehouse, tenant } = await openScene(hooks);
  const traffic = createTraffic(ingest, tenant);
  warehouse.refuseConnections(true);
  await traffic.send();
  await untilSealed(ingest);
  await ingest.kill9();
  const directory = logDirectory(ingest);
  const segments = await readSegments(directory);
  const [first, ...others] = segments;
  // Earlier releases quarantined a whole segment when its header was damaged. One of these also has
  // a damaged frame.
  const lost = first!.frames[0]!;
  await flipBit(first!, lost.end - 3);
  for (const other of others) await fillWithZeros(other, 0, other.headerEnd);
  await setAside(ingest, segments);

  expect((await spool(ingest, 'verify')).code).toBe(1);
  const result = await spool(ingest, 'requeue', '--json');
  expect(result.code).toBe(1);
  const files = JSON.parse(result.text) as { outcome: string; bytesLeft: number }[];
  expect(files.map(({ outcome }) => outcome)).toEqual(files.map(() => 'requeued'));
  expect(files[0]!.bytesLeft).toBe(lost.end - lost.start);

  warehouse.refuseConnections(false);
  await restart(ingest, tenant);
  const kept = traffic.events.slice(EVENTS_PER_BATCH);
  await eventually(async () => expect(await stored(tenant, kept)).toEqual(EACH_ONCE));
  await untilDrained(ingest);
  const left = [`${basename(first!.path)}.${lost.start}-${lost.end}`];
  expect(await quarantined(ingest)).toEqual(left);
  await eventually(async () => expect(await gauge(ingest)).toBe(1));
  expect((await spool(ingest, 'list')).text).toContain(left[0]);
});

test('reports errors with a distinct exit code', async hooks => {
  const { ingest } = await openScene(hooks);
  expect(await spool(ingest, '--help')).toMatchObject({ code: 0 });
  expect(await spool(ingest, 'repair')).toMatchObject({ code: 2 });
  expect(await spool(ingest, 'requeue', 'no-such.segment')).toMatchObject({ code: 2 });
  expect(await spool({ dataDirectory: '/nowhere' }, 'list')).toMatchObject({ code: 2 });
});

async function openScene({ onTestFinished, onTestFailed }: TestContext) {
  const warehouse = await startFaultProxy(clickhouse().url);
  onTestFinished(() => warehouse.close());
  const address = new URL(inject('databaseUrls').system);
  const postgres = await startTcpGate(address.hostname, Number(address.port));
  onTestFinished(() => postgres.close());
  address.port = String(postgres.port);
  const ingest = await startIngest({
    threads: 1,
    env: { CLICKHOUSE_URL: warehouse.url, DATABASE_SYSTEM_URL: address.href },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  return { ingest, warehouse, postgres, tenant: await liveTenant(ingest) };
}

/**
 * Sends batches with an identify event each, plus one report and one push, each for a different
 * person.
 */
function createTraffic(ingest: IngestProcess, tenant: Tenant) {
  const events: string[] = [];
  const identified: string[] = [];
  const shown: string[] = [];
  const pushed: string[] = [];

  async function sendOne(): Promise<void> {
    const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
    const [identify] = ids;
    const batch = ids.map(id =>
      id === identify
        ? eventOf(id, { type: '"identify"', event: undefined, userId: JSON.stringify(id) })
        : eventOf(id),
    );
    expectAccepted(await postEvents(ingest, tenant.writeKey, batch), ids.length);
    events.push(...ids);
    identified.push(identify!);
    const person = newMessageId();
    expectSuccess(await postJson(ingest, tenant, IN_APP_EVENTS, reportOf({ user_id: person })));
    shown.push(person);
    const push = { event_type: 'push.clicked', message_id: person, user_id: person };
    expectSuccess(await postPush(ingest, tenant, push));
    pushed.push(person);
  }

  return {
    events,
    people: () => ({
      identified: identified.toSorted(),
      shown: shown.toSorted(),
      clicked: pushed.toSorted(),
    }),
    async send(): Promise<void> {
      for (let batch = 0; batch < BATCHES; batch++) {
        await sendOne();
        await untilSealed(ingest);
      }
    },
  };
}

/** Returns the rows that were written to Postgres. */
async function toldOf({ workspaceId }: Tenant) {
  const exposures = await sql('SELECT user_id FROM exposures WHERE workspace_id = $1', [
    workspaceId,
  ]);
  const clicks = (await outboundOf(workspaceId)).filter(({ type }) => type === 'delivery.clicked');
  return {
    identified: sorted((await contactsOf(workspaceId)).map(({ user_id }) => user_id)),
    shown: sorted(exposures.map(({ user_id }) => user_id)),
    clicked: sorted(clicks.map(({ payload }) => payload.message_id)),
  };
}

function sorted(ids: readonly unknown[]): string[] {
  return ids.map(String).toSorted();
}

function stored({ workspaceId }: Tenant, ids: readonly string[]) {
  return tally(clickhouse(), 'events_raw', workspaceId, ids).then(found => {
    return { ...found, neverSent: [] };
  });
}

async function expectEachOnce(
  tenant: Tenant,
  traffic: ReturnType<typeof createTraffic>,
): Promise<void> {
  const { workspaceId } = tenant;
  await eventually(async () => {
    expect(await tally(clickhouse(), 'events_raw', workspaceId, traffic.events)).toEqual(EACH_ONCE);
    expect(await toldOf(tenant)).toEqual(traffic.people());
  });
}

async function untilSealed(ingest: IngestProcess): Promise<void> {
  await eventually(async () => {
    const segments = await readSegments(logDirectory(ingest));
    expect(segments.every(({ isSealed }) => isSealed)).toBe(true);
  });
}

/** Ends the process, and quarantines every segment that has rows, as an earlier release did. */
async function setAllAside(ingest: IngestProcess): Promise<void> {
  await ingest.kill9();
  await setAside(ingest, await readSegments(logDirectory(ingest)));
}

async function setAside(ingest: IngestProcess, segments: readonly SegmentFile[]): Promise<void> {
  const folder = join(logDirectory(ingest), 'quarantine');
  await mkdir(folder, { recursive: true });
  for (const { path } of segments) await rename(path, join(folder, basename(path)));
}

async function restart(ingest: IngestProcess, tenant: Tenant): Promise<void> {
  await ingest.restart();
  await untilKnown(ingest, tenant.writeKey);
}

async function quarantined(ingest: IngestProcess): Promise<string[]> {
  return (await readdir(join(logDirectory(ingest), 'quarantine'))).sort();
}

async function requeuedLogs(ingest: IngestProcess): Promise<string[]> {
  const cell = join(logDirectory(ingest), '..');
  const names = await readdir(cell);
  return names.filter(name => name.startsWith('requeue-')).map(name => join(cell, name));
}

/** Puts copies of the logs that the node has picked up back into the quarantine. */
async function putBack(ingest: IngestProcess): Promise<void> {
  for (const log of await requeuedLogs(ingest))
    for (const path of await segmentPaths(log))
      await copyFile(path, join(logDirectory(ingest), 'quarantine', `9${basename(path).slice(1)}`));
}

async function gauge(ingest: IngestProcess): Promise<number> {
  return sumOf(await metrics(ingest), /^ingest_quarantine_files$/);
}

async function readiness(ingest: IngestProcess) {
  const answer = await send(`${ingest.url}/readyz`, { method: 'GET' });
  expect(answer.status).toBe(200);
  return answer.json() as unknown as {
    quarantined: Record<string, { files: number }> & { default: { files: number } };
  };
}

async function spool(
  { dataDirectory }: Pick<IngestProcess, 'dataDirectory'>,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const main = join(ROOT, 'ingest', 'spool-command', 'main.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], {
      env: { ...process.env, DATA_DIR: dataDirectory },
    });
    return { code: 0, text: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: `${stdout}${stderr}` };
  }
}
