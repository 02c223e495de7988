import { beforeAll, describe, expect, test } from 'vitest';
import { BODY_BYTES_MAX } from '../harness/batch.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { compress, ENCODINGS } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import {
  named,
  SDK_POST_ENDPOINTS,
  type SdkEndpoint,
  sendKeyless,
  sendValid,
} from '../harness/sdk-endpoints.ts';
import type { Tenant } from '../harness/tenant.ts';

const MiB = 1024 * 1024;

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

/** A valid body, padded with white space to this number of bytes. */
async function padded(endpoint: SdkEndpoint, bytes: number) {
  const request = await endpoint.valid(tenant);
  const text = JSON.stringify(request.body);
  return { request, body: text + ' '.repeat(bytes - Buffer.byteLength(text)) };
}

describe.concurrent.for(named(SDK_POST_ENDPOINTS))('PAYLOAD_TOO_LARGE: $name', endpoint => {
  test('512,001 bytes, with a length and without', async () => {
    const { request, body } = await padded(endpoint, BODY_BYTES_MAX + 1);
    const answer = await sendValid(ingest(), endpoint, tenant, request, { body });
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
    const { path } = request;
    const chunks = [Buffer.from(body.slice(0, 300_000)), Buffer.from(body.slice(300_000))];
    const chunked = await sendValid(
      ingest(),
      endpoint,
      tenant,
      { path },
      {
        chunks,
        headers: { 'content-type': 'application/json' },
      },
    );
    expectProblem(chunked, 413, 'PAYLOAD_TOO_LARGE');
  });

  test.for(ENCODINGS)('512,001 bytes as %s', async encoding => {
    const { request, body } = await padded(endpoint, BODY_BYTES_MAX + 1);
    const answer = await sendValid(ingest(), endpoint, tenant, request, {
      body: compress(encoding, body),
      headers: { 'content-encoding': encoding },
    });
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('16 MiB of white space, compressed', async () => {
    const request = await endpoint.valid(tenant);
    const answer = await sendValid(ingest(), endpoint, tenant, request, {
      body: compress('gzip', Buffer.alloc(16 * MiB, 0x20)),
      headers: { 'content-encoding': 'gzip' },
    });
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a length of 50 GiB is refused immediately, by a response or a closed connection', async () => {
    const { path } = await endpoint.valid(tenant);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(50 * 1024 * MiB),
    };
    const chunks = [Buffer.from('{')];
    const answer = await sendKeyless(ingest(), endpoint, { path }, { headers, chunks }).catch(
      (error: Error) => error,
    );
    if (answer instanceof Error) expect(answer.message).not.toContain('no answer');
    else expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('512,000 bytes are accepted, plain and compressed', async () => {
    const plain = await padded(endpoint, BODY_BYTES_MAX);
    const answer = await sendValid(ingest(), endpoint, tenant, plain.request, {
      body: plain.body,
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const small = await padded(endpoint, BODY_BYTES_MAX);
    const compressed = await sendValid(ingest(), endpoint, tenant, small.request, {
      body: compress('br', small.body),
      headers: { 'content-encoding': 'br' },
    });
    expect([compressed.status, compressed.text]).toEqual([200, expect.any(String)]);
  });
});
