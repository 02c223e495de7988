// The delay of the reports is correct while ClickHouse is unavailable, and null if it is unknown.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../../harness/batch-client.ts';
import { deadAddress } from '../../harness/dead-address.ts';
import { eventually } from '../../harness/eventually.ts';
import { type IngestProcess, startIngest } from '../../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../../harness/internal.ts';
import { metrics, sumOf } from '../../harness/metrics.ts';
import { startTcpGate, type TcpGate } from '../../harness/tcp-gate.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { type ApiProcess, startApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

/** The API sends no warehouse rows: other tests read the waiting rows of the shared database. */
const NOWHERE = 'http://127.0.0.1:9';

let clickhouse: TcpGate;
let postgres: TcpGate;
let ingest: IngestProcess;
let api: ApiProcess;

beforeAll(async () => {
  const [warehouse, database] = [inject('clickhouseUrl'), inject('databaseUrls').system].map(
    address => new URL(address),
  );
  clickhouse = await startTcpGate(warehouse!.hostname, Number(warehouse!.port));
  postgres = await startTcpGate(database!.hostname, Number(database!.port));
  warehouse!.port = String(clickhouse.port);
  database!.port = String(postgres.port);
  ingest = await startIngest({
    env: {
      INTERNAL_TOKEN,
      CLICKHOUSE_URL: warehouse!.href,
      DATABASE_SYSTEM_URL: database!.href,
    },
  });
  api = await startApi({
    areRefusalsRepeated: false,
    env: {
      INTERNAL_TOKEN,
      INGEST_URL: NOWHERE,
      INGEST_NODE_URLS: ingest.url,
      CLICKHOUSE_URL: warehouse!.href,
    },
  });
});
afterAll(async () => {
  clickhouse?.setOpen(true);
  postgres?.setOpen(true);
  await Promise.all([api?.stop(), ingest?.stop()]);
  await Promise.all([clickhouse?.close(), postgres?.close()]);
});

type Delay = {
  readonly seconds: number | null;
  readonly isComplete: boolean;
  readonly completeUntil: string | null;
  readonly nodes: number;
  readonly nodesAnswering: number;
};

const DELAY = 'delay { seconds isComplete completeUntil nodes nodesAnswering }';

async function delayOf(
  asked: ApiProcess,
  tenant: Tenant,
  role: 'member' | 'owner' | 'platform_admin' = 'member',
): Promise<Delay> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  const answer = await asked.graphql(`{ ingestHealth { ${DELAY} } }`, { token });
  expect(answer.errors, answer.text).toBeUndefined();
  return (answer.data as { ingestHealth: { delay: Delay } }).ingestHealth.delay;
}

const send = async (tenant: Tenant, event = eventOf(newMessageId())) =>
  expectAccepted(await postEvents(ingest, tenant.writeKey, [event]), 1);

describe('an accepted event that ClickHouse does not have yet', () => {
  test('determines the delay by its age, for every role, until it is stored', async () => {
    const tenant = await liveTenant(ingest);
    clickhouse.setOpen(false);
    onTestFinished(() => clickhouse.setOpen(true));
    const sentAtMs = Date.now();
    await send(tenant);
    await eventually(async () => expect((await delayOf(api, tenant)).seconds).toBeGreaterThan(2));
    for (const role of ['member', 'owner', 'platform_admin'] as const) {
      const delay = await delayOf(api, tenant, role);
      expect(delay).toMatchObject({ isComplete: true, nodes: 1, nodesAnswering: 1 });
      expect(delay.seconds).toBeGreaterThan(2);
      expect(Date.parse(delay.completeUntil!)).toBeLessThan(sentAtMs + 2_000);
    }
    // Values that only the warehouse has are null, not 0, and the delay is still returned.
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const whole = await api.graphql(`{ ingestHealth { accepted rejected ${DELAY} } }`, { token });
    expect(whole.data?.ingestHealth).toMatchObject({
      accepted: null,
      rejected: null,
      delay: { isComplete: true },
    });
    clickhouse.setOpen(true);
    await eventually(async () => expect((await delayOf(api, tenant)).seconds).toBe(0));
  });

  test('no longer counts once it waits only for Postgres', async () => {
    const tenant = await liveTenant(ingest);
    await eventually(async () => expect((await delayOf(api, tenant)).seconds).toBe(0));
    postgres.setOpen(false);
    onTestFinished(() => postgres.setOpen(true));
    await send(tenant, eventOf(newMessageId(), { type: '"identify"', userId: '"ann"' }));
    await eventually(async () => {
      const samples = await metrics(ingest);
      const age = (reader: string) =>
        sumOf(samples, /^ingest_spool_oldest_unsent_seconds$/, { reader });
      expect(age('outbox')).toBeGreaterThan(2);
      expect(age('clickhouse')).toBe(0);
    });
    expect((await delayOf(api, tenant)).seconds).toBe(0);
  });
});

describe('a node that does not respond', () => {
  test('makes the delay a lower bound', async () => {
    const dead = await deadAddress();
    onTestFinished(() => dead.close());
    const urls = `${ingest.url},http://${dead.hostPort}`;
    const asked = await startApi({
      env: { INTERNAL_TOKEN, INGEST_URL: NOWHERE, INGEST_NODE_URLS: urls },
    });
    onTestFinished(async () => void (await asked.stop()));
    const delay = await delayOf(asked, await liveTenant(ingest));
    expect(delay).toMatchObject({
      isComplete: false,
      completeUntil: null,
      nodes: 2,
      nodesAnswering: 1,
    });
    expect(delay.seconds).toBeGreaterThanOrEqual(0);
  });

  test('makes the delay unknown if it is the only node, or if no node has the cell', async () => {
    const dead = await deadAddress();
    onTestFinished(() => dead.close());
    const asked = await startApi({
      env: { INTERNAL_TOKEN, INGEST_URL: `http://${dead.hostPort}` },
    });
    onTestFinished(async () => void (await asked.stop()));
    const unknown = { seconds: null, isComplete: false, completeUntil: null };
    expect(await delayOf(asked, await liveTenant(ingest))).toMatchObject(unknown);
    const cell = { slug: 'nowhere-for-delay', isEnabled: true };
    const elsewhere = await createTenant({ cell });
    expect(await delayOf(api, elsewhere)).toMatchObject({ ...unknown, nodesAnswering: 1 });
  });
});

test('a node is queried about once a second, regardless of the number of viewers', async () => {
  const tenant = await liveTenant(ingest);
  const asked = async () =>
    sumOf(await metrics(ingest), /^ingest_requests_total$/, { endpoint: '/metrics' });
  const [before, beganAtMs] = [await asked(), performance.now()];
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 5 }, () => delayOf(api, tenant)));
  const ownQuestion = 1;
  const secondsMax = Math.ceil((performance.now() - beganAtMs) / 1_000);
  expect((await asked()) - before).toBeLessThanOrEqual(secondsMax + 1 + ownQuestion);
});

test('only owners and platform admins see the quarantine', async () => {
  const tenant = await liveTenant(ingest);
  const question = '{ ingestHealth { quarantinedFiles quarantinedBytes quarantinedOldestAt } }';
  const ask = async (role: 'member' | 'owner' | 'platform_admin') =>
    api.graphql(question, { token: await tokenFor(tenant.organizationId, { roles: [role] }) });
  expect((await ask('owner')).data?.ingestHealth).toEqual({
    quarantinedFiles: 0,
    quarantinedBytes: 0,
    quarantinedOldestAt: null,
  });
  const folder = join(ingest.dataDirectory, 'ingest', 'spool', 'default', '0', 'quarantine');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kept.segment'), 'damaged');
  for (const role of ['owner', 'platform_admin'] as const)
    await eventually(async () => {
      expect((await ask(role)).data?.ingestHealth).toEqual({
        quarantinedFiles: 1,
        quarantinedBytes: 7,
        quarantinedOldestAt: expect.any(String),
      });
    });
  const member = await ask('member');
  expect(member.data?.ingestHealth ?? null, member.text).not.toMatchObject({ quarantinedFiles: 1 });
  expect(member.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
});
