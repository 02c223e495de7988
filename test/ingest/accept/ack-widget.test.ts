// The rule for acknowledgements on a real Postgres, with two connections that update the same
// widget.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  ackWidgets,
  type WidgetAck,
  type WidgetAction,
} from '../../../ingest/accept/ack-widget.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { queueWidget, type Widget, widgetOutcomes } from '../../harness/widget.ts';

const clients: pg.Client[] = [];
let tenant: Tenant;
beforeAll(async () => {
  for (let i = 0; i < 2; i++) {
    const client = new pg.Client({ connectionString: inject('databaseUrls').system });
    await client.connect();
    // Forces index scans, as on a large table. Rows are then read in the order of the given IDs.
    await client.query(
      'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
    );
    clients.push(client);
  }
  tenant = await createTenant();
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

const AT_MS = Date.UTC(2026, 5, 1, 12);

function ack(widget: Widget, action: WidgetAction, rest: Partial<WidgetAck> = {}): WidgetAck {
  return {
    workspaceId: tenant.workspaceId,
    stepExecutionId: widget.stepExecutionId,
    action,
    stepId: '',
    variantId: '',
    atMs: AT_MS,
    ...rest,
  };
}

describe('an expired widget', () => {
  test.each([
    ['at the very end', 0, 1],
    ['a millisecond later', 1, 0],
  ])('acknowledged %s', async (_, lateMs, signals) => {
    const widget = await queueWidget(tenant, { expiresAt: new Date(AT_MS) });
    const late = ack(widget, 'clicked', { atMs: AT_MS + lateMs });
    await ackWidgets(clients[0]!, [late]);
    const [outcome] = await widgetOutcomes([widget]);
    expect(outcome).toMatchObject({
      state: 'CLICKED',
      clicked_at: new Date(AT_MS + lateMs),
      exposures: ['clicked', 'impression'],
    });
    expect(outcome!.signals).toHaveLength(signals);
  });
});

describe('a group', () => {
  test('may contain a widget many times: the acknowledgements are applied in order', async () => {
    const widget = await queueWidget(tenant, { variantId: 'A' });
    const results = await ackWidgets(clients[0]!, [
      ack(widget, 'served', { stepId: 'step-1' }),
      ack(widget, 'dismissed', { atMs: AT_MS + 1, variantId: 'B' }),
      ack(widget, 'clicked', { atMs: AT_MS + 2, stepId: 'step-2' }),
      ack(widget, 'viewed', { atMs: AT_MS + 3 }),
    ]);
    const { campaignId, userId } = widget;
    expect(results).toEqual([
      { campaignId, userId, variantId: 'A', end: undefined },
      { campaignId, userId, variantId: 'B', end: 'dismissed' },
      { campaignId, userId, variantId: 'B', end: 'dismissed' },
      { campaignId, userId, variantId: 'B', end: 'dismissed' },
    ]);
    expect((await widgetOutcomes([widget]))[0]).toMatchObject({
      state: 'DISMISSED',
      acked_step_id: 'step-2',
      acked_variant_id: 'B',
      served_at: new Date(AT_MS),
      viewed_at: new Date(AT_MS + 1),
      clicked_at: null,
      dismissed_at: new Date(AT_MS + 1),
      signals: [{ outcome: 'DISMISSED', variantId: 'B' }],
      exposures: ['dismissed', 'impression'],
    });
  });

  test('returns nothing for widgets of other workspaces and unknown widgets', async () => {
    const other = await createTenant();
    const [own, foreign] = [await queueWidget(tenant), await queueWidget(other)];
    const unknown = { ...own, stepExecutionId: crypto.randomUUID() };
    const acks = [foreign, own, unknown].map(widget => ack(widget, 'clicked'));
    const results = await ackWidgets(clients[0]!, acks);
    expect(results.map(result => result?.campaignId)).toEqual([
      undefined,
      own.campaignId,
      undefined,
    ]);
    expect((await widgetOutcomes([foreign]))[0]).toMatchObject({ state: 'QUEUED', signals: [] });
  });
});

test('two concurrent connections: each widget ends once with one signal, without a deadlock', async () => {
  for (let round = 0; round < 40; round++) {
    const widgets = await Promise.all(Array.from({ length: 60 }, () => queueWidget(tenant)));
    const backwards = widgets.toReversed();
    await Promise.all([
      ackWidgets(
        clients[0]!,
        widgets.map(widget => ack(widget, 'clicked')),
      ),
      ackWidgets(
        clients[1]!,
        backwards.map(widget => ack(widget, 'dismissed')),
      ),
    ]);
    for (const outcome of await widgetOutcomes(widgets)) {
      expect(['CLICKED', 'DISMISSED']).toContain(outcome.state);
      expect(outcome.signals.map(signal => signal.outcome)).toEqual([outcome.state]);
      expect([outcome.clicked_at, outcome.dismissed_at].filter(at => at !== null)).toHaveLength(1);
      expect(outcome.exposures).toEqual([outcome.state.toLowerCase(), 'impression']);
    }
  }
});

test('the second end waits for the lock of the first, and then counts as the second', async () => {
  const widget = await queueWidget(tenant);
  await clients[0]!.query('BEGIN');
  await ackWidgets(clients[0]!, [ack(widget, 'clicked')]);
  const [{ pid }] = (await clients[1]!.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))
    .rows as [{ pid: number }];
  const second = ackWidgets(clients[1]!, [ack(widget, 'dismissed', { atMs: AT_MS + 1 })]);
  await eventually(async () => {
    const waits = await sql('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [pid]);
    expect(waits).toHaveLength(1);
  });
  await clients[0]!.query('COMMIT');
  await second;
  expect((await widgetOutcomes([widget]))[0]).toMatchObject({
    state: 'CLICKED',
    dismissed_at: null,
    signals: [{ outcome: 'CLICKED' }],
  });
});
