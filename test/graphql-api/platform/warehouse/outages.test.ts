// A warehouse that is unavailable, hangs or has too many rows: requests still receive a response in
// bounded time.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createWarehouses } from '../../../../graphql-api/platform/warehouse/clickhouse.ts';
import { createSlots } from '../../../../graphql-api/platform/warehouse/slots.ts';
import { createCells } from '../../../../graphql-api/tenancy/warehouse-cells.ts';
import { deadAddress } from '../../../harness/dead-address.ts';
import { startTcpGate } from '../../../harness/tcp-gate.ts';
import { createTenant, type Tenant } from '../../../harness/tenant.ts';
import { startApi, useApi } from '../../harness/api-process.ts';
import { useDeps } from '../../harness/deps.ts';
import { eventRow, insertRows, lastHours } from '../../harness/report-rows.ts';
import { tokenFor } from '../../harness/tokens.ts';

const api = useApi({ areRefusalsRepeated: false });
const deps = useDeps();
const COUNTS = `query ($range: ReportRange!, $bucket: BucketSize!) {
  eventCounts(range: $range, bucket: $bucket) { lines { total } } viewer { userId }
}`;

async function startWith(url: string) {
  const process = await startApi({ areRefusalsRepeated: false, env: { CLICKHOUSE_URL: url } });
  onTestFinished(() => void process.stop());
  return process;
}

const ask = async (
  process: Awaited<ReturnType<typeof startApi>>,
  tenant: Tenant,
  variables: Record<string, unknown> = { range: lastHours(1), bucket: 'HOUR' },
) => process.graphql(COUNTS, { token: await tokenFor(tenant.organizationId), variables });

function expectUnavailable(answer: Awaited<ReturnType<typeof ask>>): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.data, 'the rest is answered').toEqual({
    eventCounts: null,
    viewer: { userId: 'user-of-a-test' },
  });
  expect(answer.errors).toHaveLength(1);
  expect(answer.errors?.[0]).toMatchObject({
    path: ['eventCounts'],
    message: 'This workspace’s warehouse is not available for reports. Retry later.',
    extensions: { reason: 'REPORT_UNAVAILABLE' },
  });
}

describe('unavailable', () => {
  test('if nothing responds', async () => {
    const dead = await deadAddress();
    onTestFinished(() => dead.close());
    const process = await startWith(`http://${dead.hostPort}`);
    expectUnavailable(await ask(process, await createTenant()));
  });

  test('if the connection accepts queries but never responds', async () => {
    let connections = 0;
    const silent = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const process = await startWith(`http://127.0.0.1:${port}`);
    const tenant = await createTenant();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(process, tenant)));
    for (const answer of answers) expectUnavailable(answer);
    // Later requests do not wait for a warehouse that does not respond.
    const before = connections;
    expectUnavailable(await ask(process, tenant));
    expect(connections).toBe(before);
    expect((await process.rest('/readyz')).status).toBe(200);
  });

  test('until ClickHouse is back', async () => {
    const address = new URL(inject('clickhouseUrl'));
    const gate = await startTcpGate(address.hostname, Number(address.port));
    onTestFinished(() => gate.close());
    address.port = String(gate.port);
    const process = await startWith(address.href);
    const tenant = await createTenant();
    expect((await ask(process, tenant)).errors).toBeUndefined();
    gate.setOpen(false);
    expectUnavailable(await ask(process, tenant));
    gate.setOpen(true);
    expect((await ask(process, tenant)).errors).toBeUndefined();
  });

  test('if it does not have the tables yet', async () => {
    const url = new URL(inject('clickhouseUrl'));
    url.pathname = '/not_migrated_yet';
    const process = await startWith(url.href);
    expectUnavailable(await ask(process, await createTenant()));
  });

  test('if the cell has no address', async () => {
    const cell = { slug: 'nowhere-for-reports', isEnabled: true };
    expectUnavailable(await ask(api(), await createTenant({ cell })));
  });
});

describe('too large', () => {
  async function question(query: string, parameters: Record<string, unknown> = {}) {
    const { organizationId, workspaceId } = await createTenant();
    await insertRows('events_raw', [eventRow({ workspaceId, keyId: workspaceId })]);
    const where = 'workspace_id = {workspaceId:UUID}';
    const text = `${query} FROM numbers_mt(1000000000000) WHERE (SELECT count() FROM events WHERE ${where}) = 1`;
    return deps().warehouses.ask({ organizationId, workspaceId, query: text, parameters });
  }

  test.for([
    ['rows', 'SELECT sum(number)'],
    ['an answer', 'SELECT number'],
    ['memory', 'SELECT groupArray(number)'],
  ])('%s', async ([, query]) => {
    await expect(question(query!)).rejects.toThrow('REPORT_TOO_LARGE');
  });

  test('time', async () => {
    const { organizationId, workspaceId } = await createTenant();
    // Returns one row every three seconds.
    const query = `SELECT sleepEachRow(3), 'workspace_id = {workspaceId:UUID}' FROM numbers(9)
      SETTINGS max_block_size = 1`;
    const asked = deps().warehouses.ask({ organizationId, workspaceId, query });
    const message =
      'The report took longer than 10 seconds. Try again, shorten the time range, or add filters.';
    await expect(asked).rejects.toMatchObject({
      rejections: [{ code: 'REPORT_TOO_LARGE', message, facts: { timeLimitSeconds: 10 } }],
    });
  });

  test('an error in our own SQL is not reported as one of these', async () => {
    await expect(question('SELECT nothing_of_that_name')).rejects.toThrow('nothing_of_that_name');
  });
});

describe('ranges', () => {
  test.for([
    ['too long', 'DAY', '2026-01-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['too long for its buckets', 'HOUR', '2026-09-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['too long for minutes', 'MINUTE', '2026-10-01T00:00:00Z', '2026-10-03T00:00:00Z'],
    ['empty', 'DAY', '2026-10-01T00:00:00Z', '2026-10-01T00:00:00Z'],
    ['the wrong way round', 'DAY', '2026-10-02T00:00:00Z', '2026-10-01T00:00:00Z'],
  ])('%s', async ([, bucket, from, to]) => {
    const answer = await ask(api(), await createTenant(), { range: { from, to }, bucket });
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_RANGE',
      field: ['range'],
    });
  });

  test('no range', async () => {
    const answer = await ask(api(), await createTenant(), { bucket: 'DAY' });
    expect(answer.status).toBe(400);
  });

  test('lists cover at most a month and a hundred items', async () => {
    const token = await tokenFor((await createTenant()).organizationId);
    const range = { from: '2026-09-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    const month = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    for (const field of ['events', 'userTimeline', 'rejectedEvents']) {
      const person = field === 'userTimeline' ? ', userId: "a"' : '';
      const document = `query ($range: ReportRange!, $first: Int!) {
        ${field}(range: $range, first: $first${person}) { nodes { __typename } } }`;
      const long = await api().graphql(document, { token, variables: { range, first: 5 } });
      expect(long.errors?.[0]?.extensions?.reason, field).toBe('INVALID_RANGE');
      const many = await api().graphql(document, {
        token,
        variables: { range: month, first: 101 },
      });
      expect(many.errors?.[0]?.extensions?.reason, field).toBe('INVALID_PAGE');
      const fine = await api().graphql(document, {
        token,
        variables: { range: month, first: 100 },
      });
      expect(fine.errors, field).toBeUndefined();
    }
  });
});

describe('the cost of reports', () => {
  test('depends on the query sent to ClickHouse, not on the size of the result', async () => {
    const answer = await ask(api(), await createTenant());
    const { cost } = answer.extensions as { cost: Record<string, number> };
    expect(cost.actualQueryCost).toBeGreaterThanOrEqual(20);
    expect(cost.actualQueryCost).toBeLessThanOrEqual(cost.requestedQueryCost!);
  });

  test('fifty in one request are refused before any runs', async () => {
    const one = 'eventCounts(range: $range, bucket: HOUR) { lines { total } }';
    const list = 'events(range: $range, first: 100) { nodes { messageId } }';
    const many = Array.from({ length: 18 }, (_, i) => `a${i}: ${i % 2 ? one : list}`);
    const answer = await api().graphql(`query ($range: ReportRange!) { ${many.join(' ')} }`, {
      token: await tokenFor((await createTenant()).organizationId),
      variables: { range: lastHours(1) },
    });
    expect(answer.errors?.[0]?.extensions?.code).toBe('MAX_COST_EXCEEDED');
  });
});

describe('slots', () => {
  const limits = { runningMax: 3, runningOfOneMax: 2, waitingMax: 2, waitMsMax: 30 };

  test('are limited in total and per tenant, and the next query of another tenant goes first', async () => {
    const slots = createSlots({ ...limits, waitMsMax: 60_000 });
    const went: string[] = [];
    const [first] = await Promise.all([slots.take('a'), slots.take('a')]);
    const third = slots.take('a').then(() => went.push('a'));
    const other = slots.take('b').then(() => went.push('b'));
    await other;
    expect(went).toEqual(['b']);
    first!();
    await third;
    expect(went).toEqual(['b', 'a']);
  });

  test('a report that waits too long, or behind too many others, is refused', async () => {
    const slots = createSlots(limits);
    for (const tenant of ['a', 'b', 'c']) await slots.take(tenant);
    const waiting = [slots.take('d'), slots.take('e')];
    await expect(slots.take('f')).rejects.toThrow('REPORT_UNAVAILABLE');
    for (const one of waiting) await expect(one).rejects.toThrow('REPORT_UNAVAILABLE');
  });
});

test('a closed client answers nothing more', async () => {
  const { database } = deps();
  const log = { warn: () => undefined, error: () => undefined };
  const urls = { default: inject('clickhouseUrl') };
  const warehouses = createWarehouses({
    urls,
    cells: createCells(database, { nowMs: () => performance.now() }),
    log,
  });
  await warehouses.close();
  await expect(warehouses.close()).resolves.toBeUndefined();
});
