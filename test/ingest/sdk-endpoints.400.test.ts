// Bodies that no endpoint can parse. Violations of a contract are tested for each endpoint.

import { beforeAll, describe, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { compress } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { named, SDK_POST_ENDPOINTS, sendValid } from '../harness/sdk-endpoints.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent.for(named(SDK_POST_ENDPOINTS))('$name', endpoint => {
  test.for([
    ['MALFORMED_JSON', 'nothing', ''],
    ['MALFORMED_JSON', 'spaces', '  \n'],
    ['MALFORMED_JSON', 'half an object', '{"platform":'],
    ['MALFORMED_JSON', 'an object and more', '{}{}'],
    ['MALFORMED_JSON', 'a trailing comma', '{"platform":"web",}'],
    ['MALFORMED_JSON', 'a line break in a string', '{"platform":"we\nb"}'],
    ['MALFORMED_JSON', 'a byte order mark', '\ufeff{}'],
    ['MALFORMED_JSON', '20,000 open lists', `{"x":${'['.repeat(20_000)}`],
    ['INVALID_BODY', 'a list', '[]'],
    ['INVALID_BODY', 'a string', '"{}"'],
    ['INVALID_BODY', 'a number', '1'],
    ['INVALID_BODY', 'null', 'null'],
  ] as const)('%s: %s', async ([code, , body]) => {
    const request = await endpoint.valid(tenant);
    expectProblem(await sendValid(ingest(), endpoint, tenant, request, { body }), 400, code);
  });

  test('MALFORMED_JSON: bytes that are not UTF-8', async () => {
    const request = await endpoint.valid(tenant);
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const answer = await sendValid(ingest(), endpoint, tenant, request, { body });
    expectProblem(answer, 400, 'MALFORMED_JSON');
  });

  test('MALFORMED_ENCODING: not compressed, truncated, or compressed with another method', async () => {
    const request = await endpoint.valid(tenant);
    const text = JSON.stringify(request.body);
    const headers = { 'content-encoding': 'gzip' };
    for (const body of [text, compress('gzip', text).subarray(0, -12), compress('br', text)]) {
      const answer = await sendValid(ingest(), endpoint, tenant, request, { body, headers });
      expectProblem(answer, 400, 'MALFORMED_ENCODING');
    }
  });

  test('MISSING_FIELD: an empty object', async () => {
    const request = await endpoint.valid(tenant);
    const answer = await sendValid(ingest(), endpoint, tenant, request, { body: '{}' });
    expectProblem(answer, 400, 'MISSING_FIELD');
  });
});
