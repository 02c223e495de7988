import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { expectUnavailable, type GatedIngest, startGatedIngest } from '../harness/gated-ingest.ts';
import { expectSuccess, postJson, storedRows } from '../harness/in-app.ts';
import { queueWidget, widgetOutcomes } from '../harness/widget.ts';

let gated: GatedIngest;
beforeAll(async () => {
  gated = await startGatedIngest();
});
afterAll(async () => {
  await gated?.stop();
});

test('while Postgres is unavailable, and a later repeat has the same effect', async () => {
  const { ingest } = gated;
  const tenant = await liveTenant(ingest);
  const widget = await queueWidget(tenant);
  const path = `/v1/in-app/widgets/${widget.stepExecutionId}/ack`;
  const ack = (action: string) => postJson(ingest, tenant, path, { action });
  expectSuccess(await ack('served'));
  gated.setPostgresThere(false);
  for (let i = 0; i < 10; i++) expectUnavailable(await ack('clicked'));
  expectProblem(await ack('opened'), 400, 'INVALID_FIELD');
  expect((await widgetOutcomes([widget]))[0]).toMatchObject({ state: 'SERVED', signals: [] });
  gated.setPostgresThere(true);
  await eventually(async () => expectSuccess(await ack('clicked')));
  expect((await widgetOutcomes([widget]))[0]).toMatchObject({
    state: 'CLICKED',
    signals: [{ outcome: 'CLICKED' }],
    exposures: ['clicked', 'impression'],
  });
  const stored = await storedRows('in_app_events', tenant.workspaceId, 3);
  expect(new Set(stored.map(row => row.event_type))).toEqual(
    new Set(['clicked', 'impression', 'served']),
  );
});
