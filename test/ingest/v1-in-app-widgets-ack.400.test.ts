import { beforeAll, describe, expect, test } from 'vitest';
import { nestedObject } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { type Fields, postJson } from '../harness/in-app.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';
import { queueWidget, type Widget, widgetOutcomes } from '../harness/widget.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
let widget: Widget;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
  widget = await queueWidget(tenant);
});

const ack = (fields: Fields | string, id = widget.stepExecutionId) =>
  postJson(ingest(), tenant, `/v1/in-app/widgets/${id}/ack`, fields);

async function expectRefused(fields: Fields, code: string, field: string): Promise<void> {
  const answer = await ack(fields);
  expectProblem(answer, 400, code);
  expect(answer.json().detail).toContain(field);
}

describe.concurrent('action', () => {
  test.each([undefined, null, ''])('missing: %j', async action => {
    await expectRefused({ action }, 'MISSING_FIELD', 'action');
  });

  test.each(['impression', 'Clicked', 'queued', 5, true, ['clicked'], {}])(
    'unknown: %j',
    async action => {
      await expectRefused({ action }, 'INVALID_FIELD', 'action');
    },
  );

  test.each(['00000000-0000-4000-8000-000000000000', 'no-id'])(
    'is validated before the ID %s',
    async id => {
      expectProblem(await ack({ action: 'opened' }, id), 400, 'INVALID_FIELD');
      expectProblem(await ack({}, id), 400, 'MISSING_FIELD');
    },
  );
});

describe.concurrent.each(['step_id', 'variant_id'])('%s', field => {
  test('of another type', async () => {
    for (const value of [5, true, {}, ['x']])
      await expectRefused({ action: 'clicked', [field]: value }, 'INVALID_FIELD', field);
  });

  test('too long', async () => {
    const value = 'x'.repeat(513);
    await expectRefused({ action: 'clicked', [field]: value }, 'FIELD_TOO_LONG', field);
  });

  test('that cannot be stored', async () => {
    for (const value of ['nul \u0000', 'lone \ud800'])
      await expectRefused({ action: 'clicked', [field]: value }, 'INVALID_STRING', field);
  });
});

test.each([
  ['', 'MALFORMED_JSON'],
  ['{"action":', 'MALFORMED_JSON'],
  ['["clicked"]', 'INVALID_BODY'],
  [`{"action":"clicked","more":${nestedObject(6)}}`, 'NESTING_TOO_DEEP'],
  [`{"action":"clicked","more":{"${'k'.repeat(257)}":1}}`, 'KEY_TOO_LONG'],
  [`{"action":"clicked","more":"${'x'.repeat(10_241)}"}`, 'VALUE_TOO_LARGE'],
])('a body %.30s', async (body, code) => {
  expectProblem(await ack(body), 400, code);
});

test('a refused request changes nothing', async () => {
  await expectRefused({ action: 'clicked', step_id: 5 }, 'INVALID_FIELD', 'step_id');
  const [outcome] = await widgetOutcomes([widget]);
  expect(outcome).toMatchObject({ state: 'QUEUED', served_at: null, signals: [], exposures: [] });
});
