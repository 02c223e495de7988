import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  JSON_TYPE,
  liveTenant,
  post,
} from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent('METHOD_NOT_ALLOWED', () => {
  test.for(['GET', 'PUT', 'PATCH', 'DELETE'])('%s', async method => {
    const body = batchText(tenant.writeKey, [eventText()]);
    const answer = await send(`${ingest().url}/v1/batch`, { method, headers: JSON_TYPE, body });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).toContain('POST');
  });

  test('HEAD, which has no body', async () => {
    const answer = await send(`${ingest().url}/v1/batch`, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 405, text: '' });
  });

  test('X-HTTP-Method-Override is ignored', async () => {
    const headers = { 'x-http-method-override': 'GET' };
    expectAccepted(await post(ingest(), batchText(tenant.writeKey, [eventText()]), { headers }), 1);
  });
});
