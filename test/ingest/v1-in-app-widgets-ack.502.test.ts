import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { postJson } from '../harness/in-app.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { queueWidget, widgetOutcomes } from '../harness/widget.ts';

const OFF = { slug: `off-${randomBytes(4).toString('hex')}`, isEnabled: false };
const NOWHERE = { slug: `nowhere-${randomBytes(4).toString('hex')}`, isEnabled: true };
const variable = `CLICKHOUSE_URL_${OFF.slug.replaceAll('-', '_').toUpperCase()}`;
const ingest = useIngest({ threads: 1, env: { [variable]: inject('clickhouseUrl') } });

test.each([
  ['switched off', OFF],
  ['without an address', NOWHERE],
])('a cell %s accepts no acknowledgement, and nothing changes', async (_, cell) => {
  const tenant = await liveTenant(ingest(), { cell });
  const widget = await queueWidget(tenant);
  const path = `/v1/in-app/widgets/${widget.stepExecutionId}/ack`;
  const answer = await postJson(ingest(), tenant, path, { action: 'clicked' });
  expectProblem(answer, 502, 'CELL_UNAVAILABLE');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  const [outcome] = await widgetOutcomes([widget]);
  expect(outcome).toMatchObject({ state: 'QUEUED', signals: [], exposures: [] });
});
