import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WIDGET_ACTIONS, type WidgetAction } from '../../ingest/accept/ack-widget.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { expectSuccess, type Fields, postJson, storedRows } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';
import { queueWidget, type Widget, type WidgetOutcome, widgetOutcomes } from '../harness/widget.ts';

const ingest = useSharedIngest();

const RUNS = process.env.TEST_LONG === undefined ? 10 : 500;
/** About 80 ms per run, more on a busy machine. */
const TIMEOUT_MS = Math.max(600_000, RUNS * 800);
/** Acknowledged concurrently, so that several widgets share statements. */
const WIDGETS_PER_RUN = 8;

function ack(tenant: Tenant, widget: Widget, fields: Fields, headers: Record<string, string> = {}) {
  const path = `/v1/in-app/widgets/${widget.stepExecutionId}/ack`;
  return postJson(ingest(), tenant, path, fields, { headers });
}

async function outcomeOf(widget: Widget): Promise<WidgetOutcome> {
  return (await widgetOutcomes([widget]))[0]!;
}

const END = new Set<WidgetAction>(['clicked', 'dismissed']);
const STAMPED = ['served_at', 'viewed_at', 'clicked_at', 'dismissed_at'] as const;

/** The expected state after these acknowledgements, in any order and with any repeats. */
function modelOf(actions: readonly WidgetAction[]) {
  const end = actions.find(action => END.has(action));
  const isViewed = actions.some(action => action !== 'served');
  const furthest = end ?? (isViewed ? 'viewed' : actions.length > 0 ? 'served' : 'queued');
  const stamped = [
    ...(actions.length > 0 ? ['served_at'] : []),
    ...(isViewed ? ['viewed_at'] : []),
    ...(end === undefined ? [] : [`${end}_at`]),
  ];
  return {
    state: furthest.toUpperCase(),
    stamped,
    signals: end === undefined ? [] : [end.toUpperCase()],
    exposures: [...(end === undefined ? [] : [end]), ...(isViewed ? ['impression'] : [])],
  };
}

function reduced(outcome: WidgetOutcome): ReturnType<typeof modelOf> {
  return {
    state: outcome.state,
    stamped: STAMPED.filter(column => outcome[column] !== null),
    signals: outcome.signals.map(signal => signal.outcome),
    exposures: [...outcome.exposures],
  };
}

/** Every permutation of every subset of the actions, once each. */
function allOrders(left: readonly WidgetAction[] = WIDGET_ACTIONS): WidgetAction[][] {
  const longer = left.flatMap(action =>
    allOrders(left.filter(other => other !== action)).map(rest => [action, ...rest]),
  );
  return [[], ...longer];
}

/** Sends each list of actions for a widget of its own; returns the widgets. */
async function walk(tenant: Tenant, lists: readonly WidgetAction[][]): Promise<Widget[]> {
  return Promise.all(
    lists.map(async actions => {
      const widget = await queueWidget(tenant);
      for (const action of actions) expectSuccess(await ack(tenant, widget, { action }));
      return widget;
    }),
  );
}

describe.concurrent('acknowledgements', () => {
  test('in every order result in the model’s state, with one signal and each exposure once', async () => {
    const tenant = await liveTenant(ingest());
    const lists = allOrders();
    expect(lists).toHaveLength(65);
    const outcomes = await widgetOutcomes(await walk(tenant, lists));
    expect(outcomes.map(reduced)).toEqual(lists.map(modelOf));
  });

  test('with repetitions have the same result', { timeout: TIMEOUT_MS }, async () => {
    const tenant = await liveTenant(ingest());
    const list = fc.array(fc.constantFrom(...WIDGET_ACTIONS), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(list, { minLength: WIDGETS_PER_RUN, maxLength: WIDGETS_PER_RUN }),
        async lists => {
          const outcomes = await widgetOutcomes(await walk(tenant, lists));
          expect(outcomes.map(reduced)).toEqual(lists.map(modelOf));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('of a complete lifecycle are stored as sent', async () => {
    const tenant = await liveTenant(ingest());
    const enrolmentId = crypto.randomUUID();
    const widget = await queueWidget(tenant, { variantId: 'A', enrolmentId });
    const { stepExecutionId, campaignId, userId } = widget;
    const headers = { 'x-property-id': tenant.propertyId };
    const said = { step_id: 'step-2', variant_id: 'B', button: { id: 1 } };
    const before = Date.now();
    expectSuccess(await ack(tenant, widget, { action: 'served' }));
    expectSuccess(await ack(tenant, widget, { action: 'viewed', step_id: 'step-1' }));
    expectSuccess(await ack(tenant, widget, { action: 'clicked', ...said }, headers));
    const outcome = await outcomeOf(widget);
    expect(outcome).toMatchObject({
      state: 'CLICKED',
      acked_step_id: 'step-2',
      acked_variant_id: 'B',
      signals: [
        {
          outcome: 'CLICKED',
          workspaceId: tenant.workspaceId,
          enrolmentId,
          variantId: 'B',
        },
      ],
      exposures: ['clicked', 'impression'],
    });
    const times = [outcome.served_at, outcome.viewed_at, outcome.clicked_at].map(Number);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(before);
    expect(times[2]).toBeLessThanOrEqual(Date.now());

    const common = {
      workspace_id: tenant.workspaceId,
      sdk_key_id: tenant.keyId,
      campaign_id: campaignId,
      event_key: stepExecutionId,
      step_execution_id: stepExecutionId,
      user_id: userId,
      anonymous_id: '',
      platform: '',
      received_at: expect.any(String),
    };
    const none = '00000000-0000-0000-0000-000000000000';
    const plain = { ...common, property_id: none, variant_id: 'A', extra: '' };
    const expected = {
      served: { ...plain, event_type: 'served', step_id: '' },
      impression: { ...plain, event_type: 'impression', step_id: 'step-1' },
      clicked: {
        ...common,
        event_type: 'clicked',
        property_id: tenant.propertyId,
        variant_id: 'B',
        step_id: 'step-2',
        extra: '{"button":{"id":1}}',
      },
    };
    // The click also reports an impression. Analysts see that one until the first is inserted.
    await eventually(async () => {
      const stored = await storedRows('in_app_events', tenant.workspaceId, 3);
      const byType = stored.map(row => [row.event_type, row]);
      expect(Object.fromEntries(byType)).toEqual(expected);
    });
  });

  test('that are repeated count as one report each for analysts', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant);
    for (const action of ['served', 'served', 'viewed', 'dismissed', 'viewed', 'dismissed'])
      expectSuccess(await ack(tenant, widget, { action }));
    const stored = await storedRows('in_app_events', tenant.workspaceId, 3);
    expect(new Set(stored.map(row => row.event_type))).toEqual(
      new Set(['dismissed', 'impression', 'served']),
    );
  });

  test('of a click and a dismissal count as the first one for analysts and caps', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant);
    for (const action of ['served', 'clicked', 'dismissed', 'clicked'])
      expectSuccess(await ack(tenant, widget, { action }));
    const last = await queueWidget(tenant);
    expectSuccess(await ack(tenant, last, { action: 'served' }));
    const stored = await storedRows('in_app_events', tenant.workspaceId, 4);
    const types = stored
      .filter(row => row.step_execution_id === widget.stepExecutionId)
      .map(row => row.event_type);
    expect(new Set(types)).toEqual(new Set(['clicked', 'impression', 'served']));
    expect(types).toHaveLength(3);
    expect((await outcomeOf(widget)).exposures).toEqual(['clicked', 'impression']);
  });

  test('keep the last given step and variant if they are omitted', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant, { variantId: 'A' });
    expectSuccess(await ack(tenant, widget, { action: 'served', step_id: 's-1', variant_id: 'B' }));
    expectSuccess(await ack(tenant, widget, { action: 'viewed', step_id: 's-2', variant_id: '' }));
    expectSuccess(await ack(tenant, widget, { action: 'viewed', step_id: null }));
    expect(await outcomeOf(widget)).toMatchObject({ acked_step_id: 's-2', acked_variant_id: 'B' });
  });

  test('find the widget by its ID in upper or lower case', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant);
    const shouted = { ...widget, stepExecutionId: widget.stepExecutionId.toUpperCase() };
    expectSuccess(await ack(tenant, shouted, { action: 'viewed' }));
    expect((await outcomeOf(widget)).state).toBe('VIEWED');
    expect(await storedRows('in_app_events', tenant.workspaceId, 1)).toEqual([
      expect.objectContaining({ event_key: widget.stepExecutionId }),
    ]);
  });
});

describe.concurrent('an early click', () => {
  test('implies that the widget was served and viewed, at the same time', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant);
    expectSuccess(await ack(tenant, widget, { action: 'clicked' }));
    const first = await outcomeOf(widget);
    expect(first.served_at).toEqual(first.clicked_at);
    expect(first.viewed_at).toEqual(first.clicked_at);
    for (const action of ['viewed', 'served']) expectSuccess(await ack(tenant, widget, { action }));
    // In the meantime, the API of another test file may have consumed the journey signal.
    const signals = first.signals.map(signal => ({ ...signal, isConsumed: expect.any(Boolean) }));
    expect(await outcomeOf(widget)).toEqual({ ...first, signals });
    const stored = await storedRows('in_app_events', tenant.workspaceId, 3);
    expect(new Set(stored.map(row => row.event_type))).toEqual(
      new Set(['clicked', 'impression', 'served']),
    );
  });

  test('does not change earlier times', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant);
    expectSuccess(await ack(tenant, widget, { action: 'served' }));
    const { served_at } = await outcomeOf(widget);
    expectSuccess(await ack(tenant, widget, { action: 'dismissed' }));
    const after = await outcomeOf(widget);
    expect(after.served_at).toEqual(served_at);
    expect(after.viewed_at).toEqual(after.dismissed_at);
  });
});

describe.concurrent('an expired widget', () => {
  test('is acknowledged, but the journey receives no signal', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant, { expiresAt: new Date(Date.now() - 60_000) });
    for (const action of ['viewed', 'clicked', 'dismissed'])
      expectSuccess(await ack(tenant, widget, { action }));
    expect(reduced(await outcomeOf(widget))).toEqual({
      ...modelOf(['viewed', 'clicked', 'dismissed']),
      signals: [],
    });
  });

  test('that has not expired yet resumes the journey', async () => {
    const tenant = await liveTenant(ingest());
    const widget = await queueWidget(tenant, { expiresAt: new Date(Date.now() + 3_600_000) });
    expectSuccess(await ack(tenant, widget, { action: 'dismissed' }));
    expect(reduced(await outcomeOf(widget))).toEqual(modelOf(['dismissed']));
  });
});

test('20 concurrent clicks and dismissals through both threads cause one end and one signal', async () => {
  const tenant = await liveTenant(ingest());
  for (let round = 0; round < 5; round++) {
    const widget = await queueWidget(tenant);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ack(tenant, widget, { action: index % 2 === 0 ? 'clicked' : 'dismissed' }),
      ),
    );
    for (const answer of answers) expectSuccess(answer);
    const outcome = await outcomeOf(widget);
    expect(['CLICKED', 'DISMISSED']).toContain(outcome.state);
    expect(outcome.signals.map(signal => signal.outcome)).toEqual([outcome.state]);
    expect([outcome.clicked_at, outcome.dismissed_at].filter(at => at !== null)).toHaveLength(1);
    const end = outcome.state.toLowerCase();
    expect(outcome.exposures).toEqual([end, 'impression']);
  }
  const stored = await storedRows('in_app_events', tenant.workspaceId, 2 * 5);
  for (const { event_type, step_execution_id } of stored) {
    if (event_type === 'impression') continue;
    const types = stored.filter(row => row.step_execution_id === step_execution_id);
    expect(new Set(types.map(row => row.event_type))).toEqual(new Set([event_type, 'impression']));
    expect(types).toHaveLength(2);
  }
});
