import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { postJson } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createSibling, type Tenant } from '../harness/tenant.ts';
import { queueWidget, widgetOutcomes } from '../harness/widget.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const ack = (path: string) => postJson(ingest(), tenant, path, { action: 'clicked' });

describe.concurrent('WIDGET_NOT_FOUND', () => {
  test.each([
    crypto.randomUUID(),
    'no-id',
    '1',
    '%00',
    'a%2Fb',
    `${crypto.randomUUID()}0`,
    `{${crypto.randomUUID()}}`,
    '%zz',
    'ü',
    "'; DROP TABLE widget_step_executions; --",
  ])('%s', async id => {
    const path = `/v1/in-app/widgets/${id.startsWith('%') || id.includes('%2F') ? id : encodeURIComponent(id)}/ack`;
    expectProblem(await ack(path), 404, 'WIDGET_NOT_FOUND');
  });

  test('the widget of another workspace, even of the same organization', async () => {
    for (const other of [await liveTenant(ingest()), await createSibling(tenant)]) {
      const widget = await queueWidget(other);
      const answer = await ack(`/v1/in-app/widgets/${widget.stepExecutionId}/ack`);
      expectProblem(answer, 404, 'WIDGET_NOT_FOUND');
      const [outcome] = await widgetOutcomes([widget]);
      expect(outcome).toMatchObject({ state: 'QUEUED', signals: [], exposures: [] });
    }
  });
});

describe.concurrent('NOT_FOUND', () => {
  test.each([
    '/v1/in-app/widgets/ack',
    '/v1/in-app/widgets//ack',
    '/v1/in-app/widgets/a/b/ack',
    `/v1/in-app/widgets/${crypto.randomUUID()}`,
    `/v1/in-app/widgets/${crypto.randomUUID()}/ack/`,
  ])('%s', async path => {
    expectProblem(await ack(path), 404, 'NOT_FOUND');
  });
});
