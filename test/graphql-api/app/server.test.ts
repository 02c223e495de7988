import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readBuildInfo } from '../../../schema/environment/build-info.ts';
import { eventually } from '../../harness/eventually.ts';
import { startTcpGate } from '../../harness/tcp-gate.ts';
import { createTenant } from '../../harness/tenant.ts';
import { startApi, useApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useApi();

test('serves liveness, readiness and metrics without a token', async () => {
  expect((await api().rest('/healthz')).json()).toEqual({
    status: 'alive',
    ...readBuildInfo(process.env),
  });
  expect((await api().rest('/readyz')).json()).toEqual({ status: 'ready' });
  await api().rest('/api/v1/workspaces/current');
  const metrics = await api().rest('/metrics');
  expect(metrics.headers['content-type']).toContain('text/plain; version=0.0.4');
  expect(metrics.text).toMatch(/api_request_seconds_count\{route="[^"]+",status="401"\} \d/);
});

test('reports the running release', async () => {
  const { version, commit } = readBuildInfo(process.env);
  expect([version, commit]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), expect.any(String)]);
  expect((await api().rest('/healthz')).json()).toMatchObject({ version, commit });
  expect((await api().rest('/metrics')).text).toContain(
    `service_build_info{version="${version}",commit="${commit}"} 1`,
  );
  const told = 'c0ffee1'.padEnd(40, '0');
  expect(readBuildInfo({ BUILD_COMMIT: told })).toEqual({ version, commit: told });
});

test('counts all refusals by code, from any layer', async () => {
  const token = await tokenFor((await createTenant()).organizationId, { roles: ['member'] });
  const rename = `mutation { sdkKeyCreate(input: { name: "x" }) { userErrors { code } } }`;
  await api().rest('/api/v1/sdk-keys');
  await api().graphql(rename, { token });
  await api().graphql('{ nothing }', { token });
  const owner = await tokenFor((await createTenant()).organizationId);
  const unnamed = rename.replace('"x"', '""');
  await api().graphql(unnamed, { token: owner });
  const { text } = await api().rest('/metrics');
  const counts = Object.fromEntries(
    [...text.matchAll(/^api_refusals_total\{code="(\w+)"\} (\d+)$/gm)].map(([, code, count]) => [
      code,
      Number(count),
    ]),
  );
  expect(counts.UNAUTHENTICATED).toBeGreaterThanOrEqual(1);
  expect(counts.FORBIDDEN).toBe(1);
  // One for the invalid document and one for the invalid input.
  expect(counts.BAD_USER_INPUT).toBe(2);
});

test('a client that disconnects is recorded as 499, not as an error', async () => {
  const { port } = new URL(api().url);
  const heads = [
    'Transfer-Encoding: chunked\r\n\r\n5\r\n{"que',
    'Content-Length: 100\r\n\r\n{"que',
  ];
  for (const path of ['/graphql', '/nope'])
    for (const head of heads) {
      const socket = connect(Number(port), '127.0.0.1');
      const type = 'Content-Type: application/json\r\n';
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${type}${head}`);
      await once(socket, 'connect');
      await api().rest('/healthz');
      socket.destroy();
    }
  await eventually(async () => {
    const { text } = await api().rest('/metrics');
    expect(text).toMatch(/api_request_seconds_count\{route="[^"]+",status="499"\} \d/);
  });
  expect(api().logs()).not.toContain('request failed');
});

test('every request has an ID, which is the client’s if it is valid', async () => {
  const own = await api().rest('/nothing');
  expect(own.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  const chosen = await api().rest('/nothing', { headers: { 'x-request-id': 'trace-12345' } });
  expect(chosen.headers['x-request-id']).toBe('trace-12345');
  const bad = await api().rest('/nothing', { headers: { 'x-request-id': 'a b "c' } });
  expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('a body without a JSON media type gets 415', async () => {
  const token = await tokenFor((await createTenant()).organizationId);
  const headers = { 'content-type': 'text/plain' };
  const request = { method: 'POST', headers, token, body: '{"name":"x"}' };
  const answer = await api().rest('/api/v1/sdk-keys', request);
  expect([answer.status, answer.json()]).toEqual([
    415,
    { detail: 'Send the body as application/json.' },
  ]);
});

test('responses are neither cached nor sniffed', async () => {
  const { headers } = await api().rest('/nothing');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('an unknown path gets 404 in the usual error format', async () => {
  const answer = await api().rest('/api/v1/nothing');
  expect([answer.status, answer.json()]).toEqual([404, { detail: expect.any(String) }]);
});

test.each(['/graphql', '/api/v1/sdk-keys'])('a body that is too large gets 413: %s', async path => {
  const token = await tokenFor((await createTenant()).organizationId);
  const answer = await api().rest(path, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ viewer { userId } } # ${'x'.repeat(600_000)}` }),
  });
  expect(answer.status).toBe(413);
});

test('each request has one log line, without secrets', async () => {
  const tenant = await createTenant();
  const token = await tokenFor(tenant.organizationId, { userId: 'ann' });
  const headers = { 'x-request-id': `logged-${tenant.keyId}` };
  await api().rest('/api/v1/workspaces/current', { token, headers });
  const lines = await eventually(() => {
    const found = api()
      .logLines()
      .filter(line => line.requestId === headers['x-request-id']);
    expect(found).toHaveLength(1);
    return found;
  });
  expect(lines[0]).toMatchObject({
    method: 'GET',
    route: '/api/v1/workspaces/current',
    status: 200,
    ms: expect.any(Number),
    userId: 'ann',
    organizationId: tenant.organizationId,
    workspaceId: tenant.workspaceId,
  });
  expect(api().logs()).not.toContain(token);
});

describe('without Postgres', () => {
  test('it starts, reports why it is not ready, and responds with 503', async () => {
    const away = 'postgres://nobody@127.0.0.1:1/nothing';
    const process = await startApi({
      isReadinessAwaited: false,
      areRefusalsRepeated: false,
      env: { DATABASE_APP_URL: away, DATABASE_SYSTEM_URL: away },
    });
    onTestFinished(async () => void (await process.stop()));
    expect((await process.rest('/healthz')).status).toBe(200);
    const ready = await process.rest('/readyz');
    expect([ready.status, ready.json()]).toEqual([
      503,
      { status: 'not ready', detail: expect.stringContaining('Postgres') },
    ]);
    const token = await tokenFor((await createTenant()).organizationId);
    const answer = await process.rest('/api/v1/workspaces/current', { token });
    expect(answer.status).toBe(503);
    expect(await process.stop()).toBe(0);
  });

  test('a lost connection is replaced', async () => {
    const url = new URL(inject('databaseUrls').app);
    const gate = await startTcpGate(url.hostname, Number(url.port));
    onTestFinished(() => gate.close());
    url.port = String(gate.port);
    const process = await startApi({
      areRefusalsRepeated: false,
      env: { DATABASE_APP_URL: url.href },
    });
    onTestFinished(async () => void (await process.stop()));
    const token = await tokenFor((await createTenant()).organizationId);
    const status = async () => (await process.rest('/api/v1/workspaces/current', { token })).status;
    expect(await status()).toBe(200);
    gate.setOpen(false);
    expect(await status()).toBe(503);
    gate.setOpen(true);
    await eventually(async () => expect(await status()).toBe(200));
    expect(process.isRunning()).toBe(true);
  });
});

test('all invalid settings are reported at once', async () => {
  const attempt = startApi({
    env: { API_PORT: 'http', AUTH_JWT_SECRET: 'short', ENCRYPTION_KEYS: '', LOG_LEVEL: 'loud' },
  });
  const error = await attempt.then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  for (const name of ['API_PORT', 'AUTH_JWT_SECRET', 'ENCRYPTION_KEYS', 'LOG_LEVEL'])
    expect(error).toContain(name);
});

test('SIGTERM completes requests in progress, then ends the process', async () => {
  const process = await startApi({ areRefusalsRepeated: false });
  const token = await tokenFor((await createTenant()).organizationId);
  const answers = Array.from({ length: 10 }, () =>
    process.rest('/api/v1/workspaces/current', { token }),
  );
  await Promise.race(answers);
  expect(await process.stop()).toBe(0);
});
