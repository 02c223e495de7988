// The metrics that show an operator whether events are lost, and whose requests are refused.

import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../../ingest/observe/metrics.ts';
import { ThreadGauges } from '../../ingest/observe/thread-gauges.ts';
import { eventOf, eventText, newMessageId } from '../harness/batch.ts';
import { liveTenant, postEvents } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { metrics, sumOf, untilMetrics } from '../harness/metrics.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { sql } from '../harness/tenant.ts';
import { withinOneWindow } from '../harness/within-one-window.ts';

const STORED = /^ingest_rows_stored_total$/;
const DELIVERED = /^ingest_rows_delivered_total$/;
const WAITING = /^ingest_rows_waiting$/;

async function started(env: Readonly<Record<string, string>> = {}) {
  const ingest = await startIngest({ env });
  onTestFinished(async () => void (await ingest.kill9()));
  return ingest;
}

test('stored and delivered rows are equal once all are delivered, also after kill -9', async () => {
  const ingest = await started();
  const tenant = await liveTenant(ingest);
  const ids = Array.from({ length: 30 }, newMessageId);
  const postSome = (from: number) =>
    postEvents(
      ingest,
      tenant.writeKey,
      ids.slice(from, from + 10).map(id => eventOf(id)),
    );
  await postSome(0);
  await storedEvents(tenant.workspaceId, ids.slice(0, 10));
  await untilMetrics(ingest, now => expect(sumOf(now, DELIVERED)).toBe(10));
  // Acknowledged, and usually not in a sealed segment yet.
  await postSome(10);
  await ingest.kill9();
  await ingest.restart();
  await postSome(20);
  await untilMetrics(ingest, now => {
    expect(sumOf(now, STORED)).toBe(30);
    expect(sumOf(now, DELIVERED)).toBe(30);
    expect(sumOf(now, WAITING)).toBe(0);
  });
});

test('without ClickHouse, the backlog is shown by rows, bytes and seconds, also after a restart', async () => {
  const ingest = await started({ CLICKHOUSE_URL: 'http://127.0.0.1:1' });
  const tenant = await liveTenant(ingest);
  await postEvents(ingest, tenant.writeKey, [eventText(), eventText()]);
  const expectBacklog = () =>
    untilMetrics(ingest, now => {
      const clickhouse = { reader: 'clickhouse' };
      expect(sumOf(now, STORED)).toBe(2);
      expect(sumOf(now, WAITING)).toBe(2);
      expect(sumOf(now, DELIVERED)).toBe(0);
      expect(sumOf(now, /^ingest_spool_unsent_bytes$/, clickhouse)).toBeGreaterThan(0);
      expect(sumOf(now, /^ingest_spool_oldest_unsent_seconds$/, clickhouse)).toBeGreaterThan(0);
      expect(sumOf(now, /^ingest_spool_unsent_bytes$/, { reader: 'outbox' })).toBe(0);
    });
  await expectBacklog();
  await ingest.kill9();
  await ingest.restart();
  await expectBacklog();
});

test('a refused sender is named by the IDs of its organization and key', async () => {
  const ingest = await started();
  await withinOneWindow(async () => {
    const tenant = await liveTenant(ingest, { minuteCap: 1 });
    const [key] = await sql(
      `SELECT k.id, w.organization_id FROM sdk_keys k JOIN workspaces w ON w.id = k.workspace_id
       WHERE k.workspace_id = $1`,
      [tenant.workspaceId],
    );
    for (let i = 0; i < 3; i++) await postEvents(ingest, tenant.writeKey, [eventText()]);
    const now = await metrics(ingest);
    const organization = { organization_id: String(key!.organization_id) };
    expect(sumOf(now, /^ingest_throttled_organization_requests_total$/, organization)).toBe(2);
    expect(
      sumOf(now, /^ingest_throttled_key_requests_total$/, { sdk_key_id: String(key!.id) }),
    ).toBe(2);
    expect(JSON.stringify(now)).not.toContain(tenant.writeKey);
  });
});

test('the number of series does not grow with the number of refused senders', async () => {
  const registered = createMetrics();
  const gauges = new ThreadGauges(registered);
  for (let i = 0; i < 2_000; i++)
    gauges.noteThrottled({ organizationId: randomUUID(), keyId: randomUUID() });
  gauges.set([]);
  const text = await registered.registry.metrics();
  expect(text.match(/^ingest_throttled_organization_requests_total\{/gm)).toHaveLength(10);
  expect(text.match(/^ingest_throttled_key_requests_total\{/gm)).toHaveLength(10);
});

test('a request ID is answered if it has the form of one, and no other is', async () => {
  const ingest = await started();
  const answerTo = (requestId: string) =>
    send(`${ingest.url}/healthz`, { method: 'GET', headers: { 'x-request-id': requestId } });
  expect((await answerTo('order-1234.abc')).headers['x-request-id']).toBe('order-1234.abc');
  for (const bad of ['short', 'a'.repeat(65), 'with spaces in it'])
    expect((await answerTo(bad)).headers).not.toHaveProperty('x-request-id');
  const plain = await send(`${ingest.url}/healthz`, { method: 'GET' });
  expect(plain.headers).not.toHaveProperty('x-request-id');
});
