// The common behavior of all REST routes.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();

test.each([
  ['PUT', '/api/v1/sdk-keys', 'GET, HEAD, POST'],
  ['OPTIONS', '/api/v1/sdk-keys', 'GET, HEAD, POST'],
  ['GET', '/api/v1/affiliates/payouts/request', 'POST'],
  ['POST', `/api/v1/templates/${randomUUID()}`, 'GET, HEAD, DELETE'],
])('%s %s is 405 and lists the allowed methods', async (method, path, allow) => {
  const answer = await api().rest(path, { method });
  expect([answer.status, answer.headers.allow, answer.json()]).toEqual([
    405,
    allow,
    { detail: expect.any(String) },
  ]);
});

test('a change without a body is 400, one whose body has no media type 415', async () => {
  const { organizationId, keyId } = await createTenant();
  const request = { method: 'PATCH', token: await tokenFor(organizationId) };
  const path = `/api/v1/sdk-keys/${keyId}`;
  expect((await api().rest(path, request)).status).toBe(400);
  expect((await api().rest(path, { ...request, body: '{"name":"x"}' })).status).toBe(415);
  const chunks = [Buffer.from('{"name":"x"}')];
  expect((await api().rest(path, { ...request, chunks })).status).toBe(415);
});
