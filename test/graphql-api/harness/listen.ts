// The control plane over a real socket in the process of the test, which controls its clock.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createGraphql } from '../../../graphql-api/app/graphql-server.ts';
import { restRoutes } from '../../../graphql-api/app/rest.ts';
import { createServer } from '../../../graphql-api/app/server.ts';
import { createIdentify } from '../../../graphql-api/platform/identify.ts';
import { createVerifyToken } from '../../../graphql-api/platform/verify-token.ts';
import { createWorkspaces } from '../../../graphql-api/tenancy/workspaces-of-organization.ts';
import type { TestDeps } from './deps.ts';

export async function listen(deps: TestDeps): Promise<Server> {
  const { config, clock, database } = deps;
  const app = createServer(deps, {
    identify: createIdentify(
      createVerifyToken(config.auth, clock),
      createWorkspaces(database, clock),
      deps.refused,
    ),
    graphql: createGraphql(deps),
    rest: restRoutes(),
    readiness: { isDraining: () => false, isPortClosed: () => false },
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
