// A change was made, but Postgres was lost before the response could read the changed object.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { journeyCreate } from '../../../graphql-api/journeys/journey.actions.ts';
import type { Database } from '../../../graphql-api/platform/database/database.ts';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { runAction } from '../../../graphql-api/platform/run-action.ts';
import { startTcpGate, type TcpGate } from '../../harness/tcp-gate.ts';
import { createTenant } from '../../harness/tenant.ts';
import { apiAt, type GraphqlAnswer } from '../harness/api-process.ts';
import { contextOf, createDeps } from '../harness/deps.ts';
import { listen } from '../harness/listen.ts';
import { tokenFor } from '../harness/tokens.ts';

test('repeated with its key, it shows the object', async () => {
  const { first, again } = await renameTwice('@idempotent(key: "rename")');
  expectUnread(first);
  expect(again.data).toEqual({
    journeyUpdate: { journey: { name: 'Renamed', version: 2 }, userErrors: [] },
  });
});

test('repeated without a key, it is refused as a change of an outdated version', async () => {
  const { first, again } = await renameTwice();
  expectUnread(first);
  expect(again.data).toEqual({
    journeyUpdate: { journey: null, userErrors: [{ code: 'JOURNEY_CHANGED' }] },
  });
});

function expectUnread(answer: GraphqlAnswer): void {
  expect(answer.status, answer.text).toBe(503);
  expect(answer.errors).toMatchObject([
    { path: ['journeyUpdate', 'journey'], extensions: { reason: 'UNAVAILABLE' } },
  ]);
  expect(answer.data).toEqual({ journeyUpdate: { journey: null, userErrors: [] } });
}

type Answers = { readonly first: GraphqlAnswer; readonly again: GraphqlAnswer };

async function renameTwice(directive = ''): Promise<Answers> {
  const { url, gate, token, id } = await startScene();
  const document = `mutation ($id: ID!) {
    journeyUpdate(id: $id, input: {version: 1, name: "Renamed"}) ${directive} {
      journey { name version } userErrors { code }
    }
  }`;
  const query = { token, variables: { id } };
  const first = await apiAt(url, false).graphql(document, query);
  gate.setOpen(true);
  return { first, again: await apiAt(url).graphql(document, query) };
}

/** A draft, and an API that loses Postgres after the first change. */
async function startScene() {
  const app = new URL(inject('databaseUrls').app);
  const gate = await startTcpGate(app.hostname, Number(app.port));
  onTestFinished(() => gate.close());
  app.port = String(gate.port);
  const deps = await createDeps({ DATABASE_APP_URL: app.href });
  onTestFinished(async () => {
    await deps.warehouses.close();
    await deps.database.close();
  });
  const server = await listen({ ...deps, database: lostAfterChange(deps.database, gate) });
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  const tenant = await createTenant();
  const nodes = [{ id: 'end', kind: 'end' as const }];
  const { id } = await runAction(contextOf(deps, tenant), journeyCreate, { name: 'j', nodes });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gate,
    token: await tokenFor(tenant.organizationId),
    id: encodeNodeId('Journey', id),
  };
}

/** All connections are lost after the first change. */
function lostAfterChange(database: Database, gate: TcpGate): Database {
  let isFirst = true;
  return {
    ...database,
    async asTenant(organizationId, work) {
      const result = await database.asTenant(organizationId, work);
      if (isFirst) gate.setOpen(false);
      isFirst = false;
      return result;
    },
  };
}
