// Requests to /graphql and their responses, byte for byte.

import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../graphql-api/platform/database/database.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';
import { type Came, graphqlServers, HASH, PERSISTED, type Sent } from './graphql-servers.ts';

const ONE = `query ($id: ID!) { node(id: $id) { ... on SdkKey { id name isActive createdAt origins } } }`;
const RENAME = `mutation ($id: ID!, $input: SdkKeyUpdateInput!) {
  sdkKeyUpdate(id: $id, input: $input) { sdkKey { name } userErrors { code field message } }
}`;
let deps: TestDeps;
let persistedDeps: TestDeps;
let tenant: Tenant;
let token: string;
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
const key = () => encodeNodeId('SdkKey', tenant.keyId);

const { servers, listen } = graphqlServers(() => token);

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

test('the error for a body that is too large contains the limit', async () => {
  const query = '{ viewer { userId } }';
  const answer = await ask({ params: { query, variables: { x: 'x'.repeat(300_000) } } });
  const message = 'A GraphQL request must not exceed 262,144 bytes.';
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
