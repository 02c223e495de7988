// Postgres and ClickHouse both refuse connections for minutes, under load. Both readers of the
// spool wait. The segments are intact, so none is quarantined, and after the outage every
// acknowledged event, contact, exposure and webhook is stored once.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, type TestContext, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { contactsOf } from '../harness/contact.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { expectSuccess, IN_APP_EVENTS, postJson, reportOf } from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { outboundOf, postPush } from '../harness/push.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import { logDirectory } from './spool-files.ts';

const THREADS = 2;
/** Longer than 43 s, after which an earlier version of ingest quarantined a segment. */
const AWAY_MS = (process.env.TEST_LONG === undefined ? 3 : 10) * 60_000;
const EVENTS_PER_BATCH = 30;
const IDENTIFIES_PER_BATCH = 3;
/** 300 events/s. */
const BATCH_INTERVAL_MS = 100;

test(`both refuse connections for ${AWAY_MS / 60_000} minutes: all acknowledged data is stored once`, {
  timeout: AWAY_MS + 600_000,
}, async hooks => {
  const { ingest, warehouse, postgres, tenant } = await openScene(hooks);
  const traffic = createTraffic(ingest, tenant);
  await traffic.send();
  await untilDrained(ingest);

  warehouse.refuseConnections(true);
  postgres.setOpen(false);
  await traffic.sendFor(AWAY_MS);
  expect(await quarantined(ingest)).toEqual([]);
  postgres.setOpen(true);
  warehouse.refuseConnections(false);
  await traffic.send();
  await untilDrained(ingest);

  const { workspaceId } = tenant;
  const { events, people } = traffic;
  expect(await tally(sharedWarehouse, 'events', workspaceId, events)).toEqual(EACH_ONCE);
  expect(new Set((await contactsOf(workspaceId)).map(contact => contact.user_id))).toEqual(
    new Set(people.identified),
  );
  const exposures = await sql('SELECT user_id FROM exposures WHERE workspace_id = $1', [
    workspaceId,
  ]);
  expect(exposures.map(({ user_id }) => String(user_id)).toSorted(byText)).toEqual(
    people.shown.toSorted(byText),
  );
  const told = await outboundOf(workspaceId);
  for (const type of ['delivery.opened', 'delivery.clicked']) {
    const pushes = told.filter(event => event.type === type);
    expect(pushes.map(({ payload }) => String(payload.message_id)).toSorted(byText)).toEqual(
      people.pushed.toSorted(byText),
    );
  }
  expect(await quarantined(ingest)).toEqual([]);
  expect(sumOf(await metrics(ingest), /^ingest_spool_damaged_bytes_total$/)).toBe(0);
});

async function openScene({ onTestFinished, onTestFailed }: TestContext) {
  const warehouse = await startFaultProxy(inject('clickhouseUrl'));
  onTestFinished(() => warehouse.close());
  const address = new URL(inject('databaseUrls').system);
  const postgres = await startTcpGate(address.hostname, Number(address.port));
  onTestFinished(() => postgres.close());
  address.port = String(postgres.port);
  const ingest = await startIngest({
    threads: THREADS,
    env: { CLICKHOUSE_URL: warehouse.url, DATABASE_SYSTEM_URL: address.href },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  return { ingest, warehouse, postgres, tenant: await liveTenant(ingest) };
}

/** Sends one report and one push with each batch of events, each for a different person. */
function createTraffic(ingest: IngestProcess, tenant: Tenant) {
  const events: string[] = [];
  const people = {
    identified: [] as string[],
    shown: [] as string[],
    pushed: [] as string[],
  };

  async function send(): Promise<void> {
    const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
    const batch = ids.map((id, i) =>
      i < IDENTIFIES_PER_BATCH
        ? eventOf(id, { type: '"identify"', event: undefined, userId: JSON.stringify(id) })
        : eventOf(id),
    );
    expectAccepted(await postEvents(ingest, tenant.writeKey, batch), ids.length);
    events.push(...ids);
    people.identified.push(...ids.slice(0, IDENTIFIES_PER_BATCH));
    const person = newMessageId();
    expectSuccess(await postJson(ingest, tenant, IN_APP_EVENTS, reportOf({ user_id: person })));
    people.shown.push(person);
    const push = { event_type: 'push.clicked', message_id: person, user_id: person };
    expectSuccess(await postPush(ingest, tenant, push));
    people.pushed.push(person);
  }

  return {
    events,
    people,
    send,
    async sendFor(durationMs: number): Promise<void> {
      for (const end = performance.now() + durationMs; performance.now() < end; ) {
        const pause = new Promise(resolve => setTimeout(resolve, BATCH_INTERVAL_MS));
        await Promise.all([send(), pause]);
      }
    },
  };
}

async function quarantined(ingest: IngestProcess): Promise<string[]> {
  const folders = Array.from({ length: THREADS }, (_, thread) =>
    join(logDirectory(ingest, thread), 'quarantine'),
  );
  return (await Promise.all(folders.map(folder => readdir(folder).catch(() => [])))).flat();
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
