// The control plane over a real socket, in the process of the test, which then holds its clock.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createIdentify } from '../../../graphql-api/access/identify.ts';
import { createVerifyToken } from '../../../graphql-api/access/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/access/workspaces.ts';
import { createGraphql } from '../../../graphql-api/graph/server.ts';
import { restRoutes } from '../../../graphql-api/rest/routes.ts';
import { createServer } from '../../../graphql-api/server.ts';
import type { TestDeps } from './deps.ts';

export async function listen(deps: TestDeps): Promise<Server> {
  const { config, clock, database } = deps;
  const app = createServer(deps, {
    identify: createIdentify(
      createVerifyToken(config.auth, clock),
      createWorkspaces(database, clock),
    ),
    graphql: createGraphql(deps),
    rest: restRoutes(),
    readiness: { isDraining: () => false },
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
