import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { AppDeps } from '../platform/context.ts';
import { metricsRoutes, probeRoutes, type Readiness } from './operating-routes.ts';

/** For scrapes and probes, of which there are a few per second. */
const CONNECTIONS_MAX = 100;

/** The server of the operator port. It serves until the process ends. */
export function createOperationsServer(
  deps: Pick<AppDeps, 'build' | 'database' | 'metrics'>,
  readiness: Pick<Readiness, 'isDraining'>,
): Server {
  const routes = new Hono()
    .route('/', probeRoutes(deps, readiness))
    .route('/', metricsRoutes(deps));
  const answerRequest = getRequestListener(routes.fetch);
  const server = createServer((request, answer) => void answerRequest(request, answer));
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}
