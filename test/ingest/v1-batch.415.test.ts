import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { expectProblem, JSON_TYPE, liveTenant, post } from '../harness/batch-client.ts';
import { compress, send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const body = () => batchText(tenant.writeKey, [eventText()]);

describe.concurrent('UNSUPPORTED_MEDIA_TYPE', () => {
  test.for([
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'application/json5',
    'application/x-ndjson',
    'text/html',
    'text/json5',
    'text/plainer',
    'image/png',
    'json',
    '*/*',
    'application/xml; note="application/json"',
  ])('%s', async type => {
    const answer = await post(ingest(), body(), { headers: { 'content-type': type } });
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('a missing type gets a clear response', async () => {
    const answer = await send(`${ingest().url}/v1/batch`, { body: body() });
    if (answer.status !== 200) expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe.concurrent('UNSUPPORTED_ENCODING', () => {
  test.for(['compress', 'lzma', 'snappy', 'base64', 'utf-8', 'gzipped'])('%s', async encoding => {
    const headers = { 'content-encoding': encoding };
    expectProblem(await post(ingest(), body(), { headers }), 415, 'UNSUPPORTED_ENCODING');
  });

  test.for(['gzip, br', 'gzip, gzip'])('%s, combined', async encoding => {
    const [first, second] = encoding.split(', ') as ['gzip', 'gzip' | 'br'];
    const twice = compress(second, compress(first, body()));
    const answer = await send(`${ingest().url}/v1/batch`, {
      headers: { ...JSON_TYPE, 'content-encoding': encoding },
      body: twice,
    });
    expect([200, 415]).toContain(answer.status);
  });
});
