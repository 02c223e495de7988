import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { named, SDK_ENDPOINTS, sendKeyless, sendValid } from '../harness/sdk-endpoints.ts';
import { createTenant, revokeKey, type Tenant } from '../harness/tenant.ts';

// A single thread, so that a change visible to one request is visible to all.
const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const UNKNOWN = 'wk_unknown_unknown_unknown';

describe.concurrent.for(named(SDK_ENDPOINTS))('INVALID_WRITE_KEY: $name', endpoint => {
  const valid = () => endpoint.valid(tenant);

  test('no key', async () => {
    const answer = await sendKeyless(ingest(), endpoint, await valid());
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
  });

  test.for([
    { 'x-service-write-key': '' },
    { 'x-service-write-key': UNKNOWN },
    { 'x-service-write-key': 'x' },
    { 'x-service-write-key': 'x'.repeat(3_000) },
    { 'x-service-write-key': '__proto__' },
    { 'x-service-write-key': "' OR 1=1 --" },
    { authorization: `Bearer ${UNKNOWN}` },
    { authorization: 'Bearer ' },
    { authorization: 'Basic d2s6d2s=' },
  ])('%o', async headers => {
    const answer = await sendKeyless(ingest(), endpoint, await valid(), { headers });
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    expect(answer.text).not.toContain(UNKNOWN);
  });

  test('a key in another case, or truncated, is a different key', async () => {
    const { writeKey } = tenant;
    for (const other of [writeKey.toUpperCase(), writeKey.slice(0, -1), `${writeKey}x`]) {
      const answer = await sendValid(ingest(), endpoint, { writeKey: other }, await valid());
      expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    }
  });

  test('a valid bearer token does not help an unknown key in the header', async () => {
    const headers = { authorization: `Bearer ${tenant.writeKey}` };
    const answer = await sendValid(ingest(), endpoint, { writeKey: UNKNOWN }, await valid(), {
      headers,
    });
    expectProblem(answer, 401, 'INVALID_WRITE_KEY');
  });

  test('a key in the body or the query is not used', async () => {
    const { path, body } = await valid();
    const keyed = body === undefined ? {} : { body: { ...body, writeKey: tenant.writeKey } };
    for (const request of [
      { path, ...keyed },
      { path: `${path}${path.includes('?') ? '&' : '?'}writeKey=${tenant.writeKey}` },
    ]) {
      const answer = await sendKeyless(ingest(), endpoint, request);
      expectProblem(answer, 401, 'INVALID_WRITE_KEY');
    }
  });

  test('a key that was revoked, before or after the process loaded it', async () => {
    const never = await createTenant({ isRevoked: true });
    const lately = await liveTenant(ingest());
    const last = await endpoint.valid(lately);
    expect((await sendValid(ingest(), endpoint, lately, last)).status).toBe(200);
    expectProblem(await sendValid(ingest(), endpoint, never, last), 401, 'INVALID_WRITE_KEY');
    await revokeKey(lately.keyId);
    await eventually(async () => {
      expectProblem(await sendValid(ingest(), endpoint, lately, last), 401, 'INVALID_WRITE_KEY');
    });
  });
});
