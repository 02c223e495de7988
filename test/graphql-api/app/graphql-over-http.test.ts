// Requests to /graphql and their responses, byte for byte.

import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import type { Readiness } from '../../../graphql-api/app/operating-routes.ts';
import { restRoutes } from '../../../graphql-api/app/rest.ts';
import { createServer } from '../../../graphql-api/app/server.ts';
import type { AppDeps } from '../../../graphql-api/platform/context.ts';
import type { Database } from '../../../graphql-api/platform/database/database.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createIdentify } from '../../../graphql-api/platform/identify.ts';
import { createVerifyToken } from '../../../graphql-api/platform/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/tenancy/workspaces-of-organization.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';

type Sent = { readonly params: unknown; readonly headers?: Record<string, string> };
type Came = { status: number; headers: Record<string, string>; body: unknown };

const HASH = 'a'.repeat(64);
const PERSISTED = '{ viewer { roles } }';
const ONE = `query ($id: ID!) { node(id: $id) { ... on SdkKey { id name isActive createdAt origins } } }`;
const RENAME = `mutation ($id: ID!, $input: SdkKeyUpdateInput!) {
  sdkKeyUpdate(id: $id, input: $input) { sdkKey { name } userErrors { code field message } }
}`;

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

async function listen(deps: AppDeps, isPortClosed: Readiness['isPortClosed'] = () => false) {
  const identify = createIdentify(
    createVerifyToken(deps.config.auth, deps.clock),
    createWorkspaces(deps.database, deps.clock),
    deps.refused,
  );
  const graphql = createGraphql(deps);
  const readiness = { isDraining: () => false, isPortClosed };
  const app = createServer(deps, { identify, graphql, rest: restRoutes(), readiness });
  const listener = getRequestListener(app.fetch);
  const server = createHttpServer(
    { joinDuplicateHeaders: true },
    (request, answer) => void listener(request, answer),
  );
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
  const body = await answer.json().catch(() => null);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
}

const key = () => encodeNodeId('SdkKey', tenant.keyId);

describe('is executed', () => {
  const cases: Record<string, () => readonly [params: unknown, data: unknown]> = {
    'one row': () => [{ query: ONE, variables: { id: key() } }, { node: { id: key() } }],
    'a row that is not there': () => [
      { query: ONE, variables: { id: encodeNodeId('SdkKey', tenant.organizationId) } },
      { node: null },
    ],
    'no variables': () => [{ query: '{ viewer { roles } }' }, { viewer: { roles: ['OWNER'] } }],
    'nulls for what is left out': () => [
      { query: '{ viewer { roles } }', variables: null, operationName: null, extensions: null },
      { viewer: { roles: ['OWNER'] } },
    ],
    'one operation of several': () => [
      {
        query: 'query A { viewer { userId } } query B { viewer { roles } }',
        operationName: 'B',
      },
      { viewer: { roles: ['OWNER'] } },
    ],
    'a change': () => [
      { query: RENAME, variables: { id: key(), input: { name: 'Other' } } },
      { sdkKeyUpdate: { sdkKey: { name: 'Other' }, userErrors: [] } },
    ],
    'a change that is refused': () => [
      { query: RENAME, variables: { id: key(), input: { name: '' } } },
      { sdkKeyUpdate: { sdkKey: null, userErrors: [{ field: ['input', 'name'] }] } },
    ],
    'a NUL in a change': () => [
      { query: RENAME, variables: { id: key(), input: { name: 'a\0b' } } },
      { sdkKeyUpdate: { sdkKey: null, userErrors: [{ field: ['input', 'name'] }] } },
    ],
  };
  test.each(Object.entries(cases))('%s', async (_name, of) => {
    const [params, data] = of();
    // The second request uses the cached document.
    for (const _time of ['first', 'second']) {
      const answer = await ask({ params });
      expect(answer).toMatchObject({ status: 200, body: { data } });
      expect(answer.headers).toMatchObject({
        'x-request-id': 'of-this-test',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test.each([
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    [
      'application/graphql-response+json,application/json;q=0.9',
      'application/graphql-response+json',
    ],
    ['application/json, application/graphql-response+json', 'application/json'],
    [
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      'application/graphql-response+json',
    ],
    ['text/html, application/*;q=0.8', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    [
      'multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json',
      'application/graphql-response+json',
    ],
  ])('with Accept %s', async (accept, type) => {
    const good = { query: '{ viewer { userId } }' };
    const bad = { query: '{ sdkKeys(first: 1000) { nodes { id } } }' };
    for (const params of [good, bad]) {
      const { headers } = await ask({ params, headers: { accept } });
      expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
  });

  test('an operation of the manifest', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: HASH } };
    const answer = await askPersisted({ params: { extensions } });
    expect(answer).toMatchObject({ status: 200, body: { data: { viewer: { roles: ['OWNER'] } } } });
  });
});

describe('is refused', () => {
  const cases: Record<string, () => Sent & { status: number; code?: string }> = {
    'a document that is refused': () => ({
      params: { query: '{ nothing }' },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'an operation that is not there': () => ({
      params: { query: 'query A { viewer { userId } }', operationName: 'Z' },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a variable that is missing': () => ({
      params: { query: ONE },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'an id that is none': () => ({
      params: { query: ONE, variables: { id: 'nonsense' } },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'variables that are a list': () => ({
      params: { query: ONE, variables: [] },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'variables that are nested deeper than the stack': () => ({
      params: `{"query":${JSON.stringify(ONE)},"variables":{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a parameter that nobody knows': () => ({
      params: { query: '{ viewer { userId } }', more: 1 },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a batch': () => ({
      params: [{ query: '{ viewer { userId } }' }],
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'no JSON': () => ({ params: '{', status: 400, code: 'BAD_USER_INPUT' }),
    'a NUL in a question': () => ({
      params: { query: ONE, variables: { id: 'a\0b' } },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a NUL in a document': () => ({
      params: { query: String.raw`{ node(id: "\u0000") { id } }` },
      status: 400,
      code: 'BAD_USER_INPUT',
    }),
    'a token that is none': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { authorization: 'Bearer a.b.c' },
      status: 401,
      code: 'UNAUTHENTICATED',
    }),
    'who accepts no JSON': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'text/html' },
      status: 406,
    }),
    'who accepts another charset only': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { accept: 'application/json; charset=latin1' },
      status: 406,
    }),
    'a workspace of somebody else': () => ({
      params: { query: '{ viewer { userId } }' },
      headers: { 'x-workspace-id': tenant.organizationId },
      status: 403,
      code: 'FORBIDDEN',
    }),
    'what costs too much': () => ({
      params: {
        query: `query ($n: Int!) { organization { workspaces(first: $n) { nodes { id } edges {
          node { id } } } } sdkKeys(first: $n) { edges { node { id rotatedFrom { id rotatedFrom {
          id rotatedFrom { id rotatedFrom { id rotatedFrom { id } } } } } } } } }`,
        variables: { n: 100 },
      },
      status: 400,
      code: 'MAX_COST_EXCEEDED',
    }),
  };
  test.each(Object.entries(cases))('%s', async (_name, of) => {
    const { status, code, ...sent } = of();
    for (const _time of ['first', 'second']) {
      const answer = await ask(sent);
      expect(answer.status).toBe(status);
      if (code !== undefined)
        expect(answer.body).toMatchObject({ errors: [{ extensions: { code } }] });
    }
  });

  test('a forbidden field among others', async () => {
    const query = '{ viewer { userId } refusedOutboxRows(first: 1) { nodes { id } } }';
    expect(await ask({ params: { query } })).toMatchObject({
      status: 403,
      body: { data: null, errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    });
  });

  test('a page that is too large', async () => {
    const query = '{ sdkKeys(first: 1000) { nodes { id } } }';
    expect(await ask({ params: { query } })).toMatchObject({
      status: 400,
      body: { data: null, errors: [{ extensions: { reason: 'INVALID_PAGE', field: ['first'] } }] },
    });
  });

  test('a document, if only operations of the manifest are allowed', async () => {
    const sent = { params: { query: PERSISTED } };
    expect(await askPersisted(sent)).toMatchObject({
      body: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    });
  });

  test('a tenant without points', async () => {
    const poor = await createTenant();
    const headers = { authorization: `Bearer ${await tokenFor(poor.organizationId)}` };
    const sent = { params: { query: '{ viewer { userId } }' }, headers };
    await ask(sent);
    const nowMs = deps.clock.nowMs();
    deps.clock.setMs(nowMs);
    try {
      const { points, clock } = deps;
      // Leaves one point.
      const { pointsLeft } = points.take(poor.organizationId, 1, clock.nowMs());
      points.take(poor.organizationId, pointsLeft - 1, clock.nowMs());
      expect(await ask(sent)).toMatchObject({ status: 200 });
      expect(await ask(sent)).toMatchObject({ status: 429 });
    } finally {
      deps.clock.setMs(undefined as never);
    }
  });
});

test('the error for a body that is too large contains the limit', async () => {
  const query = '{ viewer { userId } }';
  const answer = await ask({ params: { query, variables: { x: 'x'.repeat(300_000) } } });
  const message = 'A GraphQL request must have at most 262,144 bytes.';
  expect(answer).toMatchObject({ status: 413, body: { errors: [{ message }] } });
});

test('errors do not repeat the input, and masking them takes linear time', async () => {
  const secret = `secret${' cannot represent '.repeat(10_000)}x: y`;
  for (const id of [{ secret }, [secret], { [secret]: 1 }]) {
    const answer = await ask({ params: { query: ONE, variables: { id } } });
    const message = 'Variable "$id" got an invalid value at "id"; ID cannot represent value.';
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ message }] } });
  }
});

test('a client that disconnects during its request leaves nothing behind', async () => {
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
  expect(await ask(sent)).toMatchObject({ status: 200 });
});

test('responses after the port is closed close the connection', async () => {
  let isPortClosed = false;
  const database: Database = {
    ...deps.database,
    openReplicaRead: organizationId => {
      // The port closes in the middle of the request.
      isPortClosed = true;
      return deps.database.openReplicaRead(organizationId);
    },
  };
  const stopping = await listen({ ...deps, database }, () => isPortClosed);
  const sent = { params: { query: ONE, variables: { id: key() } } };
  await stopping.ask(sent);
  isPortClosed = false;
  const answer = await stopping.ask(sent);
  expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
});
