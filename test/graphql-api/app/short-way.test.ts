// What has gone the whole way once goes a shorter one, which must come to the same: each request is
// sent both ways, and the answers laid side by side.

import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import { createKnownOperations } from '../../../graphql-api/app/known-operations.ts';
import { createListener } from '../../../graphql-api/app/listener.ts';
import type { Readiness } from '../../../graphql-api/app/operating-routes.ts';
import { restRoutes } from '../../../graphql-api/app/rest.ts';
import { createServer } from '../../../graphql-api/app/server.ts';
import { TextCache } from '../../../graphql-api/app/text-cache.ts';
import type { AppDeps } from '../../../graphql-api/platform/context.ts';
import type { Database } from '../../../graphql-api/platform/database/database.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createIdentify } from '../../../graphql-api/platform/identify.ts';
import { createVerifyToken } from '../../../graphql-api/platform/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/tenancy/workspaces-of-organization.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';

type Way = 'short' | 'whole';
type Sent = { readonly params: unknown; readonly headers?: Record<string, string> };
type Came = { way: Way; status: number; headers: Record<string, string>; body: unknown };

const HASH = 'a'.repeat(64);
const PERSISTED = '{ viewer { roles } }';
const ONE = `query ($id: ID!) { node(id: $id) { ... on SdkKey { id name isActive createdAt origins } } }`;
const RENAME = `mutation ($id: ID!, $input: SdkKeyUpdateInput!) {
  sdkKeyUpdate(id: $id, input: $input) { sdkKey { name } userErrors { code field message } }
}`;
/** Makes the parser of yoga look; ours leaves it alone. */
const WHOLE = { 'content-type': 'application/json; charset=utf-8; way=whole' };

let deps: TestDeps;
let persistedDeps: TestDeps;
let tenant: Tenant;
let token: string;
const servers: Server[] = [];
let ask: (sent: Sent) => Promise<Came>;
let askPersisted: (sent: Sent) => Promise<Came>;
let url: string;

beforeAll(async () => {
  const manifest = join(await mkdtemp(join(tmpdir(), 'engagement-manifest-')), 'operations.json');
  await writeFile(manifest, JSON.stringify({ [HASH]: PERSISTED }));
  deps = await createDeps();
  persistedDeps = await createDeps({ PERSISTED_OPERATIONS_FILE: manifest });
  tenant = await createTenant();
  token = await tokenFor(tenant.organizationId);
  ({ ask, url } = await listen(deps));
  askPersisted = (await listen(persistedDeps)).ask;
});

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  for (const { database, warehouses } of [deps, persistedDeps]) {
    await warehouses.close();
    await database.close();
  }
});

async function listen(deps: AppDeps, readiness: Readiness = { isDraining: () => false }) {
  const identify = createIdentify(
    createVerifyToken(deps.config.auth, deps.clock),
    createWorkspaces(deps.database, deps.clock),
  );
  const known = createKnownOperations(deps.config);
  const graphql = createGraphql(deps, known);
  const app = createServer(deps, { identify, graphql, rest: restRoutes(), readiness });
  const whole = getRequestListener(app.fetch);
  const listener = createListener(deps, {
    identify,
    known,
    readiness,
    wholeWay: (request, answer) => {
      answer.setHeader('x-way', 'whole');
      void whole(request, answer);
    },
  });
  const server = createHttpServer({ joinDuplicateHeaders: true }, listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return { url, ask: (sent: Sent) => send(url, sent) };
}

async function send(url: string, { params, headers = {} }: Sent): Promise<Came> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-request-id': 'of-this-test',
      ...headers,
    },
    body: typeof params === 'string' ? params : JSON.stringify(params),
  });
  const {
    date: _date,
    // Of the points, which are fewer each time.
    'content-length': _length,
    'x-way': way = 'short',
    ...others
  } = Object.fromEntries(answer.headers);
  const body = await answer.json().catch(() => null);
  return { way: way as Way, status: answer.status, headers: others, body };
}

const key = () => encodeNodeId('SdkKey', tenant.keyId);

/** The first two teach both ways the document; the points left differ by what a request took. */
async function bothWays(sent: Sent, send = ask): Promise<{ short: Came; whole: Came }> {
  await send(sent);
  const short = await send(sent);
  const whole = await send({ ...sent, headers: { ...sent.headers, ...WHOLE } });
  expect(whole.way).toBe('whole');
  const alike = ({ way: _way, ...came }: Came) => ({ ...came, body: withoutPoints(came.body) });
  expect(alike(short)).toEqual(alike(whole));
  return { short, whole };
}

function withoutPoints(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll(
    /"currentlyAvailable":\d+/g,
    '"currentlyAvailable":0',
  );
  return JSON.parse(text.replaceAll(/"retryAfterSeconds":\d+/g, '"retryAfterSeconds":0'));
}

describe('goes the short way, to the same answer', () => {
  const cases: Record<string, () => unknown> = {
    'one row': () => ({ query: ONE, variables: { id: key() } }),
    'a row that is not there': () => ({
      query: ONE,
      variables: { id: encodeNodeId('SdkKey', tenant.organizationId) },
    }),
    'no variables': () => ({ query: '{ viewer { userId roles } }' }),
    'nulls for what is left out': () => ({
      query: '{ viewer { userId } }',
      variables: null,
      operationName: null,
      extensions: null,
    }),
    'one operation of several': () => ({
      query: 'query A { viewer { userId } } query B { organization { name } }',
      operationName: 'B',
    }),
    'a field that may not be seen, beside others': () => ({
      query: '{ viewer { userId } outboxRows: refusedOutboxRows(first: 1) { nodes { id } } }',
    }),
    'a page that is too large': () => ({ query: '{ sdkKeys(first: 1000) { nodes { id } } }' }),
    'a change': () => ({ query: RENAME, variables: { id: key(), input: { name: 'Other' } } }),
    'a change that is refused': () => ({
      query: RENAME,
      variables: { id: key(), input: { name: '' } },
    }),
    'a NUL in a change': () => ({
      query: RENAME,
      variables: { id: key(), input: { name: 'a\0b' } },
    }),
  };
  test.each(Object.entries(cases))('%s', async (_name, params) => {
    const { short } = await bothWays({ params: params() });
    expect(short.way).toBe('short');
  });

  test.each([
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json,application/json;q=0.9',
    'application/json, application/graphql-response+json',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    'text/html, application/*;q=0.8',
    'application/json; charset=utf-8',
    'multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json',
  ])('whoever accepts %s', async accept => {
    const good = { query: '{ viewer { userId } }' };
    const bad = { query: '{ sdkKeys(first: 1000) { nodes { id } } }' };
    for (const params of [good, bad]) {
      const { short } = await bothWays({ params, headers: { accept } });
      expect(short.way).toBe('short');
    }
  });

  test('an operation of the manifest', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: HASH } };
    const { short } = await bothWays({ params: { extensions } }, askPersisted);
    expect(short).toMatchObject({ way: 'short', body: { data: { viewer: { roles: ['OWNER'] } } } });
  });
});

describe('is left to the whole way', () => {
  const cases: Record<string, () => Sent> = {
    'a document that is refused': () => ({ params: { query: '{ nothing }' } }),
    'an operation that is not there': () => ({
      params: { query: 'query A { viewer { userId } }', operationName: 'Z' },
    }),
    'a variable that is missing': () => ({ params: { query: ONE } }),
    'an id that is none': () => ({ params: { query: ONE, variables: { id: 'nonsense' } } }),
    'variables that are a list': () => ({ params: { query: ONE, variables: [] } }),
    'variables that are nested deeper than the stack': () => ({
      params: `{"query":${JSON.stringify(ONE)},"variables":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    }),
    'a parameter that nobody knows': () => ({
      params: { query: '{ viewer { userId } }', more: 1 },
    }),
    'a batch': () => ({ params: [{ query: '{ viewer { userId } }' }] }),
    'no JSON': () => ({ params: '{' }),
    'a NUL in a question': () => ({ params: { query: ONE, variables: { id: 'a\0b' } } }),
    'a NUL in a document': () => ({ params: { query: String.raw`{ node(id: "\u0000") { id } }` } }),
    'a token that is none': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { authorization: 'Bearer a.b.c' },
    }),
    'who accepts no JSON': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'text/html' },
    }),
    'who accepts another charset only': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'application/json; charset=latin1' },
    }),
    'a workspace of somebody else': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { 'x-workspace-id': tenant.organizationId },
    }),
    'what costs too much': () => ({
      params: {
        query: `query ($n: Int!) { organization { workspaces(first: $n) { nodes { id } edges {
          node { id } } } } sdkKeys(first: $n) { edges { node { id rotatedFrom { id rotatedFrom {
          id rotatedFrom { id rotatedFrom { id rotatedFrom { id } } } } } } } } }`,
        variables: { n: 100 },
      },
    }),
  };
  test.each(Object.entries(cases))('%s', async (_name, sent) => {
    const { short } = await bothWays(sent());
    expect(short.way).toBe('whole');
  });

  test('a document, where only those of the manifest are run', async () => {
    const sent = { params: { query: PERSISTED } };
    const { short } = await bothWays(sent, askPersisted);
    expect(short).toMatchObject({ way: 'whole', body: { errors: [expect.anything()] } });
  });

  test('a tenant that has asked too much, whose points the short way takes as well', async () => {
    const poor = await createTenant();
    const headers = { authorization: `Bearer ${await tokenFor(poor.organizationId)}` };
    const sent = { params: { query: '{ viewer { userId } }' }, headers };
    await ask(sent);
    const nowMs = deps.clock.nowMs();
    deps.clock.setMs(nowMs);
    try {
      const { points, clock } = deps;
      // But for one.
      const { pointsLeft } = points.take(poor.organizationId, 1, clock.nowMs());
      points.take(poor.organizationId, pointsLeft - 1, clock.nowMs());
      expect(await ask(sent)).toMatchObject({ way: 'short', status: 200 });
      expect(await ask(sent)).toMatchObject({ way: 'whole', status: 429 });
    } finally {
      deps.clock.setMs(undefined as never);
    }
  });
});

test('a body that is too large is told how large it may be', async () => {
  const query = '{ viewer { userId } }';
  const { short } = await bothWays({ params: { query, variables: { x: 'x'.repeat(300_000) } } });
  const message = 'A GraphQL request is at most 262,144 bytes.';
  expect(short).toMatchObject({ way: 'whole', status: 413, body: { errors: [{ message }] } });
});

test('what was sent is not repeated, and not searched over and over, whatever it says', async () => {
  const secret = `secret${' cannot represent '.repeat(10_000)}x: y`;
  for (const id of [{ secret }, [secret], { [secret]: 1 }]) {
    const { short } = await bothWays({ params: { query: ONE, variables: { id } } });
    const message = 'Variable "$id" got an invalid value at "id"; ID cannot represent value.';
    expect(short).toMatchObject({ status: 400, body: { errors: [{ message }] } });
  }
});

test('a client that goes in the middle of its request leaves nothing behind', async () => {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${token}\r\ncontent-length: 100\r\n\r\n{"query":`,
  );
  socket.destroy();
  const sent = { params: { query: '{ viewer { userId } }' } };
  await ask(sent);
  expect(await ask(sent)).toMatchObject({ way: 'short', status: 200 });
});

test('whoever is answered while the process stops is told to connect elsewhere', async () => {
  let isDraining = false;
  const database: Database = {
    ...deps.database,
    openRead: organizationId => {
      // In the middle of the request, as SIGTERM comes.
      isDraining = true;
      return deps.database.openRead(organizationId);
    },
  };
  const stopping = await listen({ ...deps, database }, { isDraining: () => isDraining });
  const sent = { params: { query: ONE, variables: { id: key() } } };
  await stopping.ask(sent);
  isDraining = false;
  const answer = await stopping.ask(sent);
  expect(answer).toMatchObject({ way: 'short', status: 200, headers: { connection: 'close' } });
});

test('what is remembered of texts is bounded by their size, and what is used stays', () => {
  const cache = new TextCache<number>();
  const text = (number: number) => `${number}`.padEnd(10_000, 'x');
  for (let number = 0; number < 300; number++) {
    cache.set(text(number), number);
    cache.get(text(0));
  }
  const kept = Array.from({ length: 300 }, (_, number) => cache.get(text(number))).filter(
    value => value !== undefined,
  );
  expect(kept).toHaveLength(40);
  expect(kept).toContain(0);
  expect(kept).toContain(299);
  cache.set('y'.repeat(20_000), 1);
  expect(cache.get('y'.repeat(20_000))).toBeUndefined();
});
