import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import type { Readiness } from '../../../graphql-api/app/operating-routes.ts';
import { restRoutes } from '../../../graphql-api/app/rest.ts';
import { createServer } from '../../../graphql-api/app/server.ts';
import type { AppDeps } from '../../../graphql-api/platform/context.ts';
import { createIdentify } from '../../../graphql-api/platform/identify.ts';
import { createVerifyToken } from '../../../graphql-api/platform/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/tenancy/workspaces-of-organization.ts';

/** Servers of /graphql in this process. */
export function graphqlServers(token: () => string) {
  const servers: Server[] = [];

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
        authorization: `Bearer ${token()}`,
        'x-request-id': 'of-this-test',
        ...headers,
      },
      body: typeof params === 'string' ? params : JSON.stringify(params),
    });
    const body = await answer.json().catch(() => null);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  }
  return { servers, listen, send };
}

export type Sent = { readonly params: unknown; readonly headers?: Record<string, string> };

export type Came = { status: number; headers: Record<string, string>; body: unknown };

export const HASH = 'a'.repeat(64);

export const PERSISTED = '{ viewer { roles } }';
