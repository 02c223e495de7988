// The parts of the service, in the order of their dependencies: the engines, their schema
// and the demo, ingest, the API, the front.

import { join } from 'node:path';
import type { Logger } from 'pino';
import { migrate } from '../migrations/migrate.ts';
import type { DatabaseUrls } from '../schema/environment/database-urls.ts';
import { announcement } from './announcement.ts';
import { apiEnvironment } from './api-environment.ts';
import { API_NODE_ARGS } from './api-node-args.ts';
import { type RunningChild, startChild } from './child.ts';
import { startClickHouse } from './clickhouse/process.ts';
import type { Config } from './config.ts';
import { demoTokens } from './demo-tokens.ts';
import { ensureDemoTenant, furnishDemo } from './ensure-demo.ts';
import { openFront } from './front.ts';
import { gatewaySecrets } from './gateway-secrets.ts';
import { internalToken } from './internal-token.ts';
import { ChildRecord } from './leftovers.ts';
import { type Opened, writeOpened } from './opened.ts';
import { operationsEnvironment } from './operations-environment.ts';
import { LOOPBACK, requireFreePort } from './ports.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { untilReady } from './readiness.ts';
import { ensureSecrets } from './secrets.ts';
import { startApprover } from './start-approver.ts';
import { startGateway } from './start-gateway.ts';
import type { Supervised } from './supervise.ts';
import { superviseAs } from './supervise-as.ts';
import { internalUrl, urlOf } from './url-of.ts';

export type Started = {
  readonly name: string;
  stop(): Promise<void>;
  kill(): void;
};

export type StartOptions = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Called with each part as soon as it runs, so that the caller can stop the started parts. */
  readonly started: Started[];
  /** If aborted, no further part is started. */
  readonly stopping: AbortSignal;
};

type RunningClickHouse = Awaited<ReturnType<typeof startClickHouse>>;

/** The time for requests in progress. There are no new requests once the front has stopped. */
const API_STOP_MS = 5_000;
/** Acknowledged events that are not delivered by then are safe in the spool. */
const INGEST_STOP_MS = 15_000;
/**
 * Ingest accepts requests before it has loaded the write keys, but the printed commands should work
 * when pasted.
 */
const READY_TIMEOUT_MS = 10_000;

export async function startParts(options: StartOptions): Promise<void> {
  const { config, log, started, stopping } = options;
  const children = new ChildRecord(config.dataDir);
  await children.stopLeftovers();
  // Started first, so stopped last: the record is removed once all processes in it have ended.
  started.push({ name: 'record', stop: async () => children.remove(), kill: () => undefined });
  await requirePorts(config);

  const engines = await startEngines(options, children);
  stopping.throwIfAborted();
  await migrate({
    databaseUrl: engines.databaseUrls.owner,
    clickhouseUrls: { default: engines.clickhouseUrl, ...config.cellUrls },
    ...(config.clickhouseCluster ? { clickhouseCluster: config.clickhouseCluster } : {}),
    log: line => log.info(line),
    signal: stopping,
  });
  stopping.throwIfAborted();
  const tenant = await ensureDemoTenant(options, engines);
  stopping.throwIfAborted();
  // The demo data is created in this process while the others load their code.
  const [demo, { ingest, gateway, approver }] = await both(
    tenant && furnishDemo(options, engines, tenant),
    startReceivers(options, children, engines),
  );
  stopping.throwIfAborted();
  const ingestUrl = urlOf(config.host, ingest.port);
  const internal = internalUrl(options, ingest);
  // The API receives the front's port, so that no webhook is sent to it.
  const front = await openFront({ host: config.host, port: config.port });
  const api = await startApi(options, children, engines, {
    FRONT_PORT: String(front.port),
    INGEST_URL: internal,
    ...gateway,
    ...approver.environment,
  });
  stopping.throwIfAborted();
  const apiUrl = urlOf(config.host, api.current().port);
  await approver.announce(apiUrl);
  const upstreams = { ingest: ingestUrl, api: apiUrl };
  const offerTokens = demo && (() => demoTokens(config, demo));
  front.serve({ upstreams, offerTokens });
  started.push({ name: 'front', stop: () => front.stop(), kill: () => undefined });

  const opened: Opened = {
    pid: process.pid,
    baseUrl: urlOf(config.host, front.port),
    ingestUrl,
    ...(internal !== ingestUrl && { ingestInternalUrl: internal }),
    apiUrl,
    clickhouseUrl: engines.clickhouseUrl,
    ...(gateway.GATEWAY_BASE_URL && { gatewayUrl: new URL(gateway.GATEWAY_BASE_URL).origin }),
    postgresPort: engines.postgresPort,
  };
  if (!(await untilReady(upstreams, READY_TIMEOUT_MS)))
    log.warn(`not ready yet; see ${opened.baseUrl}/readyz for the reason`);
  stopping.throwIfAborted();
  writeOpened(config.dataDir, opened);
  const isProduction = options.env.NODE_ENV === 'production';
  process.stdout.write(announcement(opened, demo, new Date(), isProduction));
}

/** Checked before anything is started; Postgres checks its own port once its orphan has ended. */
async function requirePorts(config: Config): Promise<void> {
  const wanted: [number, string, string][] = [
    [config.port, 'PORT', config.host],
    [config.ingestPort, 'INGEST_PORT', config.host],
    [config.apiPort, 'API_PORT', config.host],
  ];
  if (config.clickhouseUrl === undefined) {
    wanted.push([config.clickhousePort, 'CLICKHOUSE_PORT', LOOPBACK]);
  }
  for (const [port, variable, host] of wanted) {
    await requireFreePort(port, variable, host);
  }
}

type Engines = {
  readonly databaseUrls: DatabaseUrls;
  readonly clickhouseUrl: string;
  /** Null: not ours. */
  readonly postgresPort: number | null;
};

async function startEngines(options: StartOptions, children: ChildRecord): Promise<Engines> {
  const [postgres, clickhouse] = await both(
    startOrUsePostgres(options),
    startOrUseClickHouse(options, children),
  );
  return { ...postgres, ...clickhouse };
}

async function startOrUsePostgres(
  options: StartOptions,
): Promise<Pick<Engines, 'databaseUrls' | 'postgresPort'>> {
  const { config, log } = options;
  if (config.databaseUrls !== undefined) {
    return { databaseUrls: config.databaseUrls, postgresPort: null };
  }
  const postgres = await superviseAs<RunningPostgres>(
    'postgres',
    options,
    undefined,
    (previous, onExit, signal) =>
      startPostgres({
        dataDir: join(config.dataDir, 'postgres'),
        port: previous?.port ?? config.postgresPort,
        onExit,
        signal,
        onLog: line => {
          if (/ (?:WARNING|ERROR|FATAL|PANIC): /.test(line)) log.warn({ part: 'postgres' }, line);
        },
      }),
  );
  const { urls, port } = postgres.current();
  return { databaseUrls: urls, postgresPort: port };
}

async function startOrUseClickHouse(
  options: StartOptions,
  children: ChildRecord,
): Promise<Pick<Engines, 'clickhouseUrl'>> {
  const { config } = options;
  if (config.clickhouseUrl !== undefined) return { clickhouseUrl: config.clickhouseUrl };
  const clickhouse = await superviseAs<RunningClickHouse>(
    'clickhouse',
    options,
    children,
    (previous, onExit) =>
      startClickHouse({
        dataDir: join(config.dataDir, 'clickhouse'),
        port: previous?.port ?? config.clickhousePort,
        nice: config.clickhouseNice,
        onExit,
      }),
  );
  return { clickhouseUrl: clickhouse.current().url };
}

/**
 * Waits for both: if one fails, the parts started by the other must be known, so that they can be
 * stopped.
 */
async function both<One, Other>(
  one: One | Promise<One>,
  other: Promise<Other>,
): Promise<[One, Other]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value, second.value];
}

/** Starts the parts that the API calls. */
async function startReceivers(options: StartOptions, children: ChildRecord, engines: Engines) {
  const { config, stopping } = options;
  const ingest = await startIngest(options, children, engines);
  stopping.throwIfAborted();
  const ingestUrl = urlOf(config.host, ingest.current().port);
  const gateway = await startGateway(options, children, ingestUrl);
  stopping.throwIfAborted();
  const approver = await startApprover(options, children);
  return { ingest: ingest.current(), gateway, approver };
}

function startApi(
  options: StartOptions,
  children: ChildRecord,
  engines: Engines,
  others: Readonly<Record<string, string>>,
): Promise<Supervised<RunningChild>> {
  const { config, env } = options;
  const apiEnv = apiEnvironment(options, engines);
  return superviseAs<RunningChild>('api', options, children, (previous, onExit, signal) =>
    startChild({
      name: 'the API',
      module: join(import.meta.dirname, '..', 'graphql-api', 'app', 'main.ts'),
      args: ['--data-dir', config.dataDir],
      nodeArgs: API_NODE_ARGS,
      env: {
        ...apiEnv,
        ...others,
        API_HOST: config.host,
        API_PORT: String(previous?.port ?? config.apiPort),
        ...operationsEnvironment('API', env, previous),
        INTERNAL_TOKEN: env.INTERNAL_TOKEN?.trim() || internalToken(config.dataDir),
      },
      stopTimeoutMs: API_STOP_MS,
      onExit,
      signal,
    }),
  );
}

function startIngest(
  options: StartOptions,
  children: ChildRecord,
  engines: Engines,
): Promise<Supervised<RunningChild>> {
  const { config } = options;
  // Ingest works as the system role and signs no tokens, but decrypts the secrets of webhooks.
  const {
    DATABASE_URL: _owner,
    DATABASE_APP_URL: _app,
    AUTH_JWT_SECRET: _secret,
    ...env
  } = options.env;
  const { encryptionKeys } = ensureSecrets(config.dataDir, options.env);
  return superviseAs<RunningChild>('ingest', options, children, (previous, onExit, signal) =>
    startChild({
      name: 'ingest',
      module: join(import.meta.dirname, '..', 'ingest', 'main.ts'),
      // The process reads no arguments. This one identifies it in a process list.
      args: ['--data-dir', config.dataDir],
      env: {
        ...env,
        DATA_DIR: config.dataDir,
        INGEST_HOST: config.host,
        INGEST_PORT: String(previous?.port ?? config.ingestPort),
        ...operationsEnvironment('INGEST', env, previous),
        DATABASE_SYSTEM_URL: engines.databaseUrls.system,
        CLICKHOUSE_URL: engines.clickhouseUrl,
        ENCRYPTION_KEYS: encryptionKeys,
        ...gatewaySecrets(config.dataDir, env),
        INTERNAL_TOKEN: env.INTERNAL_TOKEN?.trim() || internalToken(config.dataDir),
        // Each thread of ingest syncs its log on libuv's pool, where name look-ups also wait.
        UV_THREADPOOL_SIZE: '16',
      },
      stopTimeoutMs: INGEST_STOP_MS,
      onExit,
      signal,
    }),
  );
}
