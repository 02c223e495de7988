import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll } from 'vitest';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import type { Readiness } from '../../../graphql-api/app/operating-routes.ts';
import { restRoutes } from '../../../graphql-api/app/rest.ts';
import { createServer } from '../../../graphql-api/app/server.ts';
import type { AppDeps } from '../../../graphql-api/platform/context.ts';
import { createIdentify } from '../../../graphql-api/platform/identify.ts';
import { createVerifyToken } from '../../../graphql-api/platform/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/tenancy/workspaces-of-organization.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';
import { tokenFor } from '../harness/tokens.ts';

type Ask = (sent: Sent) => Promise<Came>;

/** Servers of /graphql in this process, and an owner who asks them. */
export function useGraphqlServers() {
  const servers: Server[] = [];
  let deps: TestDeps;
  let persistedDeps: TestDeps;
  let tenant: Tenant;
  let token: string;
  let url: string;
  let ask: Ask;
  let askPersisted: Ask;

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

  async function listen(appDeps: AppDeps, isPortClosed?: Readiness['isPortClosed']) {
    const server = serverOf(appDeps, isPortClosed);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
    return { url: address, ask: (sent: Sent) => send(address, token, sent) };
  }
  return {
    deps: () => deps,
    tenant: () => tenant,
    token: () => token,
    url: () => url,
    ask: (sent: Sent) => ask(sent),
    /** Asks the server that allows only the operation of its manifest. */
    askPersisted: (sent: Sent) => askPersisted(sent),
    listen,
  };
}

function serverOf(deps: AppDeps, isPortClosed: Readiness['isPortClosed'] = () => false): Server {
  const identify = createIdentify(
    createVerifyToken(deps.config.auth, deps.clock),
    createWorkspaces(deps.database, deps.clock),
    deps.refused,
  );
  const graphql = createGraphql(deps);
  const readiness = { isDraining: () => false, isPortClosed };
  const app = createServer(deps, { identify, graphql, rest: restRoutes(), readiness });
  const listener = getRequestListener(app.fetch);
  return createHttpServer(
    { joinDuplicateHeaders: true },
    (request, answer) => void listener(request, answer),
  );
}

async function send(url: string, token: string, { params, headers = {} }: Sent): Promise<Came> {
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

export type Sent = { readonly params: unknown; readonly headers?: Record<string, string> };

type Came = { status: number; headers: Record<string, string>; body: unknown };

/** Of the only operation in the manifest. */
export const HASH = 'a'.repeat(64);

export const PERSISTED = '{ viewer { roles } }';

export const ONE = `query ($id: ID!) { node(id: $id) { ... on SdkKey { id name isActive createdAt origins } } }`;
