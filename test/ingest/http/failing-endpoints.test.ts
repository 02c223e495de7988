// Any exception during a request results in a 500 or a closed connection, without details of the
// error, and the process continues.

import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRouters, type EndpointDeps } from '../../../ingest/endpoints.ts';
import type { Reply } from '../../../ingest/http/reply.ts';
import { Router } from '../../../ingest/http/router.ts';
import { type Endpoint, Server, type ServerOptions } from '../../../ingest/http/server.ts';
import { WEBHOOK_PATH } from '../../../schema/gateway/webhook-path.ts';
import { type Answer, type Request, send } from '../../harness/http.ts';

const SECRET = 'a defect that nobody outside should read of';
const INTERNAL_TOKEN = 'internal-token-of-this-test-0123456789';
const METHODS = ['POST', 'GET', 'OPTIONS'];
const fine: Reply = { status: 200, body: '{}', contentType: 'application/json', headers: [] };

function fail(): never {
  throw new Error(SECRET);
}

/** Marked as handled, because an endpoint that never uses the promise does not need to await it. */
function rejected(): Promise<never> {
  const promise = Promise.reject<never>(new Error(SECRET));
  promise.catch(() => undefined);
  return promise;
}

type Served = { readonly server: Server; readonly url: string; readonly defects: () => number };

async function serve(router: Router, options: Partial<ServerOptions> = {}): Promise<Served> {
  let defects = 0;
  const server = new Server({
    newId: () => 'an-id-of-the-test',
    router,
    connectionsMax: 100,
    onConnectionRefused: () => undefined,
    preflight: () => fine,
    corsFor: () => [],
    onReply: () => undefined,
    onError: () => void defects++,
    ...options,
  });
  const port = await freePort();
  await server.listen('127.0.0.1', port);
  return { server, url: `http://127.0.0.1:${port}`, defects: () => defects };
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** A request with each form of body, and without a body. */
function requests(method: string): Request[] {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${INTERNAL_TOKEN}`,
    origin: 'https://shop.example.com',
  };
  const plain = { method, headers, timeoutMs: 5_000 };
  if (method !== 'POST') return [plain];
  const body = '{"writeKey":"a key","sentAt":"2026-01-01T00:00:00Z","batch":[{}]}';
  return [
    { ...plain, body },
    { ...plain, body: '' },
    { ...plain, chunks: [Buffer.from(body.slice(0, 9)), Buffer.from(body.slice(9))] },
    { ...plain, body: ' '.repeat(600_000) },
  ];
}

/** Returns undefined if the connection was closed instead. */
async function ask(url: string, request: Request): Promise<Answer | undefined> {
  try {
    return await send(url, request);
  } catch (error) {
    // A closed connection is accepted, a missing response is not.
    expect(String(error)).not.toContain('no answer');
    return undefined;
  }
}

function expectDiscreet(answer: Answer | undefined): void {
  if (answer === undefined) return;
  expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET);
  if (answer.status !== 500 || answer.text === '') return;
  expect(answer.json()).toEqual({ detail: expect.stringMatching(/./), code: 'INTERNAL' });
}

describe('a failure in', () => {
  const methods = ['POST', 'GET'];
  const failing = (handle: Endpoint['handle']): Endpoint => ({ methods, handle });
  const endpoints: Record<string, Endpoint> = {
    'an endpoint, at once': failing(fail),
    'an endpoint, later': failing(async () => {
      await new Promise(resolve => setImmediate(resolve));
      return fail();
    }),
    'an endpoint that rejects with nothing': failing(() => {
      const { promise, reject } = Promise.withResolvers<Reply>();
      reject();
      return promise;
    }),
    'an endpoint that returns nothing': failing(() => undefined as unknown as Reply),
    'an endpoint that resolves to nothing': failing(() =>
      Promise.resolve(undefined as unknown as Reply),
    ),
    'the name of a header': failing(() => ({
      ...fine,
      headers: [[Symbol('none') as unknown as string, 'x']],
    })),
    'the body of a reply': failing(() => ({ ...fine, body: null as unknown as string })),
  };
  const places: Record<string, Partial<ServerOptions>> = {
    'the way to the endpoint': {
      router: { find: fail } as unknown as Router,
    },
    'the CORS headers of a refusal': { corsFor: fail },
    'the answer to a preflight': { preflight: fail },
    'the metrics of a reply': { onReply: fail },
    'the report of a defect': { onError: fail },
    'everything at once': { corsFor: fail, preflight: fail, onReply: fail, onError: fail },
  };
  const router = new Router(
    new Map(
      Object.entries({ ...endpoints, fine: failing(() => fine) }).map(([name, endpoint]) => [
        `/${encodeURIComponent(name)}`,
        endpoint,
      ]),
    ),
  );

  test.for(Object.keys(endpoints))('%s', async name => {
    const { server, url } = await serve(router);
    for (const method of methods)
      for (const request of requests(method)) {
        const answer = await ask(`${url}/${encodeURIComponent(name)}`, request);
        expect([undefined, 500, 413]).toContain(answer?.status);
        expectDiscreet(answer);
        expect((await send(`${url}/fine`, { method: 'GET' })).status).toBe(200);
      }
    // No request is left open that would delay a stop.
    await server.idle();
    server.stopListening();
    server.close();
  });

  test.for(Object.entries(places))('%s', async ([, options]) => {
    const { server, url } = await serve(router, options);
    for (const path of ['/fine', '/nothing', '/an%20endpoint%2C%20later'])
      for (const method of [...METHODS, 'DELETE'])
        for (const request of requests(method)) expectDiscreet(await ask(url + path, request));
    await server.idle();
    server.stopListening();
    server.close();
  });
});

/** Dependencies of which every function fails when called, as do the functions of their results. */
function failingDeps(how: () => unknown): EndpointDeps {
  const all: unknown = new Proxy(() => undefined, {
    get: (_, name) =>
      name === 'internalToken' ? INTERNAL_TOKEN : name === 'then' ? undefined : all,
    apply: how,
  });
  return all as EndpointDeps;
}

/** These endpoints have no dependencies. */
const SELF_SUFFICIENT = ['/healthz', '/openapi.json', '/sdk.js', '/sdk/{file}', '/v1/openapi.json'];

describe.each([
  ['throws', fail, SELF_SUFFICIENT],
  // Code that does not await a result sees a promise, not the error: the webhook responds with 401
  // then.
  ['rejects', rejected, [...SELF_SUFFICIENT, WEBHOOK_PATH]],
] as const)('every route, if everything it needs %s', (_, how, expectedUntouched) => {
  // No error may surface as an unhandled rejection.
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  beforeAll(() => void process.on('unhandledRejection', note));
  afterAll(() => void process.off('unhandledRejection', note));

  test('responds with 500 or closes the connection, and the next request is served', async () => {
    const router = createRouters(failingDeps(how), { role: 'all', operations: undefined }).traffic;
    const { endpoints } = router as unknown as { endpoints: ReadonlyMap<string, Endpoint> };
    expect(endpoints.size).toBeGreaterThan(12);
    const { server, url, defects } = await serve(router);
    const untouched: string[] = [];
    for (const [path, { methods }] of endpoints) {
      const before = defects();
      for (const method of methods)
        for (const request of requests(method)) {
          const answer = await ask(url + path.replace(/\{.*\}/, 'some-id'), request);
          if (answer !== undefined) expect(answer.status, path).toBeGreaterThanOrEqual(200);
          expectDiscreet(answer);
        }
      if (defects() === before) untouched.push(path);
    }
    expect(untouched.sort()).toEqual(expectedUntouched);
    await server.idle();
    server.stopListening();
    server.close();
    expect(unhandled).toEqual([]);
  });
});
