// The same request with every kind of body, key and origin that a client may use. The effects of
// each endpoint have their own tests.

import { beforeAll, describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { COMPATIBLE_PATHS } from '../harness/compatible-paths.ts';
import { type Answer, compress, ENCODINGS, send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import {
  named,
  SDK_ENDPOINTS,
  SDK_POST_ENDPOINTS,
  sendKeyless,
  sendValid,
} from '../harness/sdk-endpoints.ts';
import type { Tenant } from '../harness/tenant.ts';

const ORIGIN = 'https://shop.example.com';

const ingest = useSharedIngest();
let tenant: Tenant;
let listed: Tenant;
beforeAll(async () => {
  [tenant, listed] = await Promise.all([
    liveTenant(ingest()),
    liveTenant(ingest(), { origins: [ORIGIN] }),
  ]);
});

function expectPassed(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  answer.json();
}

function expectReadable(answer: Answer): void {
  expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
  // Beacons are always sent with credentials.
  expect(answer.headers['access-control-allow-credentials']).toBe('true');
  expect(answer.headers['access-control-expose-headers']).toMatch(
    /retry-after.*x-service-rate-reset/i,
  );
  expect(answer.headers.vary).toMatch(/origin/i);
}

describe.concurrent.for(named(SDK_ENDPOINTS))('keys and origins: $name', endpoint => {
  test('the key as X-Service-Write-Key', async () => {
    const request = await endpoint.valid(tenant);
    expectPassed(await sendValid(ingest(), endpoint, tenant, request));
  });

  test.for(['Bearer', 'bearer', 'BEARER '])('the key as a token: %s', async scheme => {
    const headers = { authorization: `${scheme} ${tenant.writeKey}` };
    const request = await endpoint.valid(tenant);
    expectPassed(await sendKeyless(ingest(), endpoint, request, { headers }));
  });

  test('with a key in both headers, X-Service-Write-Key counts', async () => {
    const headers = { authorization: 'Bearer a-session-of-something-else' };
    const request = await endpoint.valid(tenant);
    expectPassed(await sendValid(ingest(), endpoint, tenant, request, { headers }));
  });

  test('a page may read the response', async () => {
    for (const each of [tenant, listed]) {
      const request = await endpoint.valid(each);
      const headers = { origin: ORIGIN };
      const answer = await sendValid(ingest(), endpoint, each, request, { headers });
      expectPassed(answer);
      expectReadable(answer);
    }
  });

  test('without an Origin, there are no CORS headers', async () => {
    const request = await endpoint.valid(tenant);
    const answer = await sendValid(ingest(), endpoint, tenant, request);
    expectPassed(answer);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('an error of the client is also readable', async () => {
    const headers = { origin: ORIGIN };
    const request = await endpoint.valid(listed);
    const unknown = await sendKeyless(ingest(), endpoint, request, { headers });
    const mismatch = await sendValid(ingest(), endpoint, listed, request, {
      headers: { ...headers, 'x-organization-id': 'another' },
    });
    expect([unknown.status, mismatch.status]).toEqual([401, 403]);
    for (const answer of [unknown, mismatch]) expectReadable(answer);
  });
});

describe.concurrent.for(named(SDK_POST_ENDPOINTS))('bodies: $name', endpoint => {
  test.for(ENCODINGS)('compressed by %s', async encoding => {
    const request = await endpoint.valid(tenant);
    const body = compress(encoding, JSON.stringify(request.body));
    const headers = { 'content-encoding': encoding };
    expectPassed(await sendValid(ingest(), endpoint, tenant, request, { body, headers }));
  });

  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'text/plain',
    'text/plain;charset=UTF-8',
  ])('as %s', async type => {
    const request = await endpoint.valid(tenant);
    const headers = { 'content-type': type };
    expectPassed(await sendValid(ingest(), endpoint, tenant, request, { headers }));
  });

  test('in chunks, without a length', async () => {
    const { path, body } = await endpoint.valid(tenant);
    const text = JSON.stringify(body);
    const chunks = [Buffer.from(text.slice(0, 7)), Buffer.from(text.slice(7))];
    const headers = { 'content-type': 'application/json' };
    expectPassed(await sendValid(ingest(), endpoint, tenant, { path }, { chunks, headers }));
  });

  test('with white space, and with unknown members', async () => {
    const { path, body } = await endpoint.valid(tenant);
    const request = {
      path,
      body: { ...body, 'a member': { of: ['a', 'later', 'SDK', null, 1.5] } },
    };
    const spaced = ` \r\n\t${JSON.stringify(request.body, null, 2)}\n `;
    expectPassed(await sendValid(ingest(), endpoint, tenant, request, { body: spaced }));
  });

  test.for(failures())('%s is readable by a page', async ([status, , options]) => {
    const request = await endpoint.valid(listed);
    const headers = { origin: ORIGIN, ...options.headers };
    const answer = await sendValid(ingest(), endpoint, listed, request, { ...options, headers });
    expect(answer.status).toBe(status);
    expectReadable(answer);
  });
});

type Failure = readonly [number, string, NonNullable<Parameters<typeof sendValid>[4]>];

function failures(): Failure[] {
  return [
    [400, 'half a body', { body: '{' }],
    [400, 'a body without fields', { body: '{}' }],
    [405, 'another method', { method: 'PUT' }],
    [413, 'too large a body', { body: ' '.repeat(512_001) }],
    [415, 'another media type', { headers: { 'content-type': 'application/xml' } }],
    [415, 'another encoding', { headers: { 'content-encoding': 'compress' } }],
  ];
}

/** These endpoints have their own test files. */
const OTHERS = [
  'GET /sdk.js',
  'GET /sdk/{file}',
  'POST /v1/batch',
  'POST /v1/webhooks/payment/gateway',
];

test('the list equals the one in the documentation', async () => {
  const answer = await send(`${ingest().url}/openapi.json`, { method: 'GET' });
  const paths = answer.json().paths as Record<string, Record<string, unknown>>;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  const listed = named(SDK_ENDPOINTS).map(({ name }) => name);
  const compatible = documented.filter(name => COMPATIBLE_PATHS.includes(name.split(' ')[1]!));
  expect(documented.toSorted()).toEqual([...OTHERS, ...compatible, ...listed].toSorted());
});
