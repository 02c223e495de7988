// In-app reports and responses are stored on ingest's own disk, like events: while ClickHouse and
// Postgres are unavailable, requests still receive a 200, and a kill -9 loses nothing. Each
// database has its own cursor, so if one recovers earlier, it receives no row twice. Rows are
// counted in the tables behind the views, with merges stopped: rows that no client resent must not
// be duplicated.

import { randomUUID } from 'node:crypto';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, type TestContext, test } from 'vitest';
import { liveTenant, untilKnown } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { send } from '../harness/http.ts';
import {
  expectSuccess,
  IN_APP_EVENTS,
  IN_APP_RESPONSES,
  postJson,
  reportOf,
  responseOf,
} from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf } from '../harness/metrics.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { createRandom } from '../harness/random.ts';
import { SDK_SPOOLED_ENDPOINTS, sendValid } from '../harness/sdk-endpoints.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import { startCuttableProxy } from '../ingest/authenticate/cuttable-proxy.ts';
import { logDirectory } from './spool-files.ts';

const THREADS = 2;
/** Of each kind: sent with an idempotency key and repeated, and sent once without a key. */
const PER_STRETCH = 10;
const KILLS = 3;
const REPORTS_PER_KILL = 1_000;
const CONNECTIONS = 16;
const RETRIED = { intervalMs: 50 };
const VIEWS = ['in_app_events', 'in_app_responses'] as const;

const clickhouse = useClickHouse();

test('both are unavailable, then available one after the other, with kills in between: each row once', async hooks => {
  const { ingest, warehouse, postgres, tenant, other } = await openScene(hooks);
  const traffic = createTraffic(ingest, tenant);
  await traffic.send();
  await untilDrained(ingest);

  warehouse.refuseConnections(true);
  postgres.cut();
  await eventually(async () => expect(await postgresAsSeen(ingest)).toBe('away'));
  await traffic.send();
  for (const endpoint of SDK_SPOOLED_ENDPOINTS)
    expectSuccess(await sendValid(ingest, endpoint, other, await endpoint.valid(other)));
  await restart(ingest, tenant);
  await traffic.repeat();
  await traffic.send();
  expect((await peopleIn('in_app_events', tenant)).size).toBe(2 * PER_STRETCH);

  warehouse.refuseConnections(false);
  for (const view of VIEWS)
    await eventually(async () => expect(await peopleIn(view, tenant)).toEqual(traffic.people()));
  expect((await exposedPeople(tenant)).length).toBe(2 * PER_STRETCH);
  await restart(ingest, tenant);
  await traffic.send();

  postgres.heal();
  await untilDrained(ingest);
  await expectEachOnce(tenant, traffic);

  // Simulates a kill between the commit in Postgres and the write of the cursor: all rows are sent
  // again.
  const passed = await outboxRows(ingest);
  await ingest.kill9();
  for (let thread = 0; thread < THREADS; thread++)
    await rm(join(logDirectory(ingest, thread), 'outbox.cursor'));
  await ingest.restart();
  await eventually(async () => {
    expect(await outboxRows(ingest)).toBeGreaterThanOrEqual(
      Math.max(passed, traffic.people().size),
    );
  });
  await untilDrained(ingest);
  await expectEachOnce(tenant, traffic);
});

test('kill -9 under load: acknowledged rows are stored, and repeated ones are stored once', async hooks => {
  const seed = Date.now() % 1_000_000;
  const random = createRandom(seed);
  const { ingest, tenant } = await openScene(hooks);
  const people: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const waiting = Array.from({ length: REPORTS_PER_KILL }, () => randomUUID());
    people.push(...waiting);
    let answered = 0;
    const sender = async () => {
      for (let person = waiting.pop(); person !== undefined; person = waiting.pop()) {
        const report = reportOf({ user_id: person, idempotency_key: `of ${person}` });
        await eventually(async () => {
          expectSuccess(await postJson(ingest, tenant, IN_APP_EVENTS, report));
        }, RETRIED);
        answered++;
      }
    };
    const senders = Array.from({ length: CONNECTIONS }, sender);
    const moment = random.below(REPORTS_PER_KILL / 2);
    await eventually(() => expect(answered).toBeGreaterThan(moment), { intervalMs: 1 });
    await restart(ingest, tenant);
    await Promise.all(senders);
  }
  await untilDrained(ingest);
  expect(await rowsOf('in_app_events', tenant), `seed ${seed}`).toEqual(people.toSorted());
  expect(await exposedPeople(tenant), `seed ${seed}`).toEqual(people.toSorted());
});

async function openScene({ onTestFinished, onTestFailed }: TestContext) {
  for (const view of VIEWS)
    await clickhouse().command(
      `ALTER TABLE ${view}_raw MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
    );
  const warehouse = await startFaultProxy(clickhouse().url);
  onTestFinished(() => warehouse.close());
  const postgres = await startCuttableProxy(inject('databaseUrls').system);
  onTestFinished(() => postgres.close());
  const ingest = await startIngest({
    threads: THREADS,
    env: { CLICKHOUSE_URL: warehouse.url, DATABASE_SYSTEM_URL: postgres.url },
  });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  const [tenant, other] = [await liveTenant(ingest), await liveTenant(ingest)];
  return { ingest, warehouse, postgres, tenant, other };
}

/** Sends reports and responses, each for a different person, which identifies its row later. */
function createTraffic(ingest: IngestProcess, tenant: Tenant) {
  const keyed: string[] = [];
  const keyless: string[] = [];
  const sendOf = async (user_id: string, fields: object) => {
    const person = { user_id, ...fields };
    expectSuccess(await postJson(ingest, tenant, IN_APP_EVENTS, reportOf(person)));
    expectSuccess(await postJson(ingest, tenant, IN_APP_RESPONSES, responseOf(person)));
  };
  const sendKeyed = (user_id: string) => sendOf(user_id, { idempotency_key: `of ${user_id}` });
  return {
    people: () => new Set([...keyed, ...keyless]),
    keyless: () => new Set(keyless),
    async send() {
      const people = Array.from({ length: 2 * PER_STRETCH }, () => randomUUID());
      const [first, second] = [people.slice(PER_STRETCH), people.slice(0, PER_STRETCH)];
      await Promise.all([...first.map(sendKeyed), ...second.map(person => sendOf(person, {}))]);
      keyed.push(...first);
      keyless.push(...second);
    },
    /** Resends everything, like clients that received no response. */
    async repeat() {
      await Promise.all(keyed.map(sendKeyed));
    },
  };
}

async function restart(ingest: IngestProcess, tenant: Tenant): Promise<void> {
  // Without this file, all keys would be refused after a kill while Postgres is unavailable.
  await eventually(() => access(join(ingest.dataDirectory, 'ingest', 'directory.snapshot')));
  await ingest.kill9();
  await ingest.restart();
  await untilKnown(ingest, tenant.writeKey);
}

async function expectEachOnce(
  tenant: Tenant,
  traffic: ReturnType<typeof createTraffic>,
): Promise<void> {
  const once = [...traffic.people()].sort();
  for (const view of VIEWS) {
    expect(await rowsOf(view, tenant)).toEqual(once);
    const raw = await rowsOf(`${view}_raw`, tenant);
    const sentOnce = traffic.keyless();
    expect(raw.filter(person => sentOnce.has(person))).toEqual([...sentOnce].sort());
  }
  expect(await exposedPeople(tenant)).toEqual(once);
}

async function peopleIn(view: string, tenant: Tenant): Promise<Set<string>> {
  return new Set(await rowsOf(view, tenant));
}

/** Returns the person of each row. */
async function rowsOf(table: string, { workspaceId }: Tenant): Promise<string[]> {
  const found = await clickhouse().rows<{ user_id: string }>(
    `SELECT user_id FROM ${table} WHERE workspace_id = {workspaceId:UUID} ORDER BY user_id`,
    { workspaceId },
  );
  return found.map(row => row.user_id);
}

async function exposedPeople({ workspaceId }: Tenant): Promise<string[]> {
  const found = await sql(
    'SELECT user_id FROM exposures WHERE workspace_id = $1 ORDER BY user_id COLLATE "C"',
    [workspaceId],
  );
  return found.map(row => String(row.user_id));
}

async function outboxRows(ingest: IngestProcess): Promise<number> {
  return sumOf(await metrics(ingest), /^ingest_outbox_rows_total$/);
}

async function postgresAsSeen({ url }: IngestProcess): Promise<unknown> {
  return (await send(`${url}/readyz`, { method: 'GET' })).json().postgres;
}
