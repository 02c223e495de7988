// The process of the control plane: started from top to bottom, stopped in reverse order.

import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { readOpenFilesMax } from '../../schema/environment/open-files.ts';
import { type ReadMetrics, startTelemetry, telemetry } from '../../schema/telemetry/telemetry.ts';
import { startJourneys } from '../journeys/advance/advance-journeys.ts';
import { startGatewayInbox } from '../payments/inbox/process-gateway-events.ts';
import type { AppDeps } from '../platform/context.ts';
import { startSchemaCheck } from '../platform/database/schema-check.ts';
import { createIdentify } from '../platform/identify.ts';
import { startJobs } from '../platform/jobs/jobs.ts';
import { createLogger } from '../platform/observe/logger.ts';
import { traceOutgoing } from '../platform/observe/trace-outgoing.ts';
import { createVerifyToken, rememberTokens } from '../platform/verify-token.ts';
import { startOutbox } from '../platform/warehouse/outbox.ts';
import { startApprovalInbox } from '../templates/approval/process-approval-events.ts';
import { createWorkspaces } from '../tenancy/workspaces-of-organization.ts';
import { startDeliveries } from '../webhooks/dispatch/deliveries.ts';
import { ALL_JOBS } from './all-jobs.ts';
import { readConfig } from './config.ts';
import { createAppDeps } from './create-app-deps.ts';
import { createGraphql } from './graphql-server.ts';
import { createOperationsServer } from './operations-server.ts';
import { restRoutes } from './rest.ts';
import { runProcesses } from './run-processes.ts';
import { createServer } from './server.ts';
import { watchBacklogs } from './watch-backlogs.ts';

/** From SIGTERM to exit; below the 30 s after which supervisors usually kill a process. */
const STOP_TIMEOUT_MS = 28_000;
/** For requests in progress. No request takes longer, because its statements have timeouts. */
const CLOSE_TIMEOUT_MS = 15_000;
/** Each accepts at least one connection that waits. */
const ACCEPT_TURNS_MAX = 1_000;
/** For pending Postgres queries, which never end if the network hangs. */
const POSTGRES_TIMEOUT_MS = 20_000;
/** The time for a client to send its headers, and its whole request. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS_MAX = 4_000;
/** For Postgres, ClickHouse, live views of ingest nodes, and webhooks in progress. */
const OWN_FILES_MAX = 500;
/** The minimum, even if hardly any files may be open. */
const CONNECTIONS_MIN = 8;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.processes > 1 && cluster.isPrimary)
    return runProcesses(config.processes, createLogger(config.logLevel));
  const deps = await createAppDeps(config);
  const { registry } = deps.metrics;
  await startTelemetry(process.env, {
    serviceName: 'engagement-api',
    version: deps.build.version,
    readMetrics: () => registry.getMetricsAsJSON() as ReturnType<ReadMetrics>,
  });
  if (telemetry() !== undefined) traceOutgoing();
  const schemaCheck = await startSchemaCheck(deps, problem => {
    deps.log.fatal(problem);
    process.exit(1);
  });
  let isStopping = false;
  const server = serve(deps, () => isStopping);
  const background = [
    schemaCheck,
    startJobs(deps, ALL_JOBS),
    startOutbox(deps),
    startJourneys(deps),
    startGatewayInbox(deps),
    startApprovalInbox(deps),
    startDeliveries(deps),
    watchBacklogs(deps, ALL_JOBS),
  ];
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    deps.log.info({ reason }, 'stopping');
    setTimeout(() => {
      deps.log.error('shutdown timed out');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    drain(server, background, deps).then(
      () => {
        deps.log.info('stopped');
        process.exit(0);
      },
      error => {
        deps.log.fatal({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('supervisor exited'));
  const ports = await listen(server, deps, () => isStopping);
  deps.log.info(ports, 'listening');
  process.send?.({ kind: 'listening', ...ports });
}

/** Opens the operator port first, so that a program that listens has both. */
async function listen(server: Server, deps: AppDeps, isDraining: () => boolean) {
  const { host, port, operations, webhookAddresses } = deps.config;
  const open = async (one: Server, address: { readonly host: string; readonly port: number }) => {
    one.listen(address.port, address.host);
    await once(one, 'listening');
    const opened = (one.address() as AddressInfo).port;
    webhookAddresses.servicePorts.add(opened);
    return opened;
  };
  const operationsPort =
    operations && (await open(createOperationsServer(deps, { isDraining }), operations));
  return { port: await open(server, { host, port }), operationsPort };
}

function serve(deps: AppDeps, isDraining: () => boolean): Server {
  const { config, clock, database } = deps;
  // Issuers use the real time, even if the clock of a development service is set forward.
  const issuersClock = { nowMs: () => Date.now() };
  const verifyToken = rememberTokens(createVerifyToken(config.auth, issuersClock), issuersClock);
  const identify = createIdentify(verifyToken, createWorkspaces(database, clock), deps.refused);
  const app = createServer(deps, {
    identify,
    graphql: createGraphql(deps),
    rest: restRoutes(),
    readiness: { isDraining, isPortClosed: () => !server.listening },
  });
  const answerRequest = getRequestListener(app.fetch);
  const server = createHttpServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Joined into one value, as in the Fetch standard.
      joinDuplicateHeaders: true,
    },
    (request, answer) => void answerRequest(request, answer),
  );
  limitConnections(server, deps);
  return server;
}

/** Keeps enough file descriptors free for connections to Postgres. */
function limitConnections(server: Server, { log, metrics }: AppDeps): void {
  const openFilesMax = readOpenFilesMax() ?? Number.POSITIVE_INFINITY;
  const openFilesNeeded = CONNECTIONS_MAX + OWN_FILES_MAX;
  server.maxConnections = Math.max(
    CONNECTIONS_MIN,
    Math.min(CONNECTIONS_MAX, openFilesMax - OWN_FILES_MAX),
  );
  server.on('drop', () => metrics.connectionsRefused.inc());
  if (openFilesMax < openFilesNeeded)
    log.warn(
      { openFilesMax, openFilesNeeded, connectionsMax: server.maxConnections },
      'open file limit is low: connections beyond the maximum are closed; raise LimitNOFILE (ulimit -n)',
    );
}

/**
 * While not ready, serves as usual for a while, so that load balancers notice. Then closes the port
 * and continues to serve on open connections until their clients close them. Nothing is refused: a
 * proxy could not send a refused mutation to another process, because it does not know whether it ran.
 */
async function drain(
  server: Server,
  background: readonly { stop(): Promise<void> }[],
  { config, database, live, log, warehouses }: AppDeps,
): Promise<void> {
  const cutting = setTimeout(() => {
    log.warn('Postgres is not responding; dropping its connections');
    database.sockets.cut();
  }, POSTGRES_TIMEOUT_MS);
  const ended = Promise.all(background.map(part => part.stop()));
  await wait(config.drainNoticeMs);
  await acceptWaiting(server);
  const closed = closePort(server);
  // Only now, so that live views reconnect to another process.
  await live.stop();
  const closingIdle = setTimeout(() => server.closeIdleConnections(), config.drainNoticeMs);
  const closingAll = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await closed;
  clearTimeout(closingIdle);
  clearTimeout(closingAll);
  await ended;
  await warehouses.close();
  await database.close();
  await telemetry()?.stop();
  clearTimeout(cutting);
}

/**
 * Resolves after a turn of the event loop without a new connection. The operating system resets
 * connections that are not accepted when the port closes, with the requests that a proxy sent on them.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let isNew = true;
  const note = () => {
    isNew = true;
  };
  server.on('connection', note);
  for (let turn = 0; isNew && turn < ACCEPT_TURNS_MAX; turn++) {
    isNew = false;
    // The second one runs after the event loop has looked for connections.
    await immediate();
    await immediate();
  }
  server.off('connection', note);
}

/**
 * Resolves when all connections are closed. The method of node:http would close idle ones immediately,
 * also those on which a proxy has just sent a request.
 */
function closePort(server: Server): Promise<unknown> {
  return new Promise(resolve => NetServer.prototype.close.call(server, resolve));
}

main().catch(error => {
  process.stderr.write(`api cannot start: ${(error as Error).message}\n`);
  process.exit(1);
});
