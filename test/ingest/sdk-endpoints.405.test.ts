import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { named, SDK_ENDPOINTS } from '../harness/sdk-endpoints.ts';
import type { Tenant } from '../harness/tenant.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent.for(named(SDK_ENDPOINTS))('METHOD_NOT_ALLOWED: $name', endpoint => {
  test.for(METHODS.filter(method => method !== endpoint.method))('%s', async method => {
    const { path, body } = await endpoint.valid(tenant);
    const headers = {
      'content-type': 'application/json',
      'x-service-write-key': tenant.writeKey,
      origin: 'https://shop.example.com',
    };
    const answer = await send(`${ingest().url}${path}`, {
      method,
      headers,
      body: JSON.stringify(body ?? {}),
    });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).toBe(`${endpoint.method}, OPTIONS`);
    expect(answer.headers['access-control-allow-origin']).toBe(headers.origin);
  });

  test('HEAD, which has no body', async () => {
    const { path } = await endpoint.valid(tenant);
    const answer = await send(`${ingest().url}${path}`, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 405, text: '' });
  });
});
