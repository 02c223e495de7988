import { beforeAll, describe, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
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
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'text/html',
    'json',
    '*/*',
    'application/xml; note="application/json"',
  ])('UNSUPPORTED_MEDIA_TYPE: %s', async type => {
    const headers = { 'content-type': type };
    const request = await endpoint.valid(tenant);
    const answer = await sendValid(ingest(), endpoint, tenant, request, { headers });
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test.for(['compress', 'snappy', 'utf-8', 'gzipped'])(
    'UNSUPPORTED_ENCODING: %s',
    async encoding => {
      const headers = { 'content-encoding': encoding };
      const request = await endpoint.valid(tenant);
      const answer = await sendValid(ingest(), endpoint, tenant, request, { headers });
      expectProblem(answer, 415, 'UNSUPPORTED_ENCODING');
    },
  );
});
