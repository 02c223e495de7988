// The control plane without HTTP: tests call actions like the graph, REST and jobs do.

import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, inject } from 'vitest';
import { ALL_ENTITIES } from '../../../graphql-api/app/all-entities.ts';
import { readConfig } from '../../../graphql-api/app/config.ts';
import { createLiveFeeds } from '../../../graphql-api/events/live/live-feeds.ts';
import { segmentEntries } from '../../../graphql-api/journeys/segment-entries.ts';
import { versionPinning } from '../../../graphql-api/journeys/version-pinning.ts';
import { createGatewayClient } from '../../../graphql-api/payments/client/gateway-client.ts';
import {
  type AppDeps,
  type Context,
  createContext,
} from '../../../graphql-api/platform/context.ts';
import { type Database, openDatabase } from '../../../graphql-api/platform/database/database.ts';
import { createMetrics } from '../../../graphql-api/platform/observe/metrics.ts';
import { PointBuckets } from '../../../graphql-api/platform/point-buckets.ts';
import { createRefusedAccess } from '../../../graphql-api/platform/refused-access.ts';
import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { createWarehouses } from '../../../graphql-api/platform/warehouse/clickhouse.ts';
import { createIngestNodes } from '../../../graphql-api/platform/warehouse/ingest-nodes.ts';
import { createCells } from '../../../graphql-api/tenancy/warehouse-cells.ts';
import { readBuildInfo } from '../../../schema/environment/build-info.ts';
import { TEST_ENCRYPTION_KEYS } from '../../harness/environments.ts';
import type { Tenant } from '../../harness/tenant.ts';
import { TEST_SECRET } from './tokens.ts';
import { whenAvailable } from './when-available.ts';

export type TestDeps = AppDeps & {
  readonly clock: { readonly setMs: (nowMs: number | undefined) => void };
};

export function useDeps(): () => TestDeps {
  let deps: TestDeps | undefined;
  beforeAll(async () => {
    deps = await createDeps();
  });
  afterAll(async () => {
    await deps?.warehouses.close();
    await deps?.database.close();
  });
  return () => {
    if (deps === undefined) throw new Error('deps are made in beforeAll; use them in tests only');
    return deps;
  };
}

/**
 * The pool has two connections, so a caller that waits for a second one while it holds one blocks.
 */
export async function createDeps(env: Record<string, string> = {}): Promise<TestDeps> {
  const { app, system } = inject('databaseUrls');
  const config = readConfig({
    DATABASE_APP_URL: app,
    DATABASE_SYSTEM_URL: system,
    DATABASE_POOL_MAX: '2',
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    // An unused address, so that no test calls the real gateway.
    GATEWAY_BASE_URL: 'http://127.0.0.1:2/pg',
    // The tests' receivers run on this machine, whichever process sends the webhooks.
    WEBHOOK_ALLOW_LOOPBACK: '1',
    ...env,
  });
  const log = pino({ level: 'silent' });
  let setMs: number | undefined;
  const database = waitingForConnections(
    await openDatabase({
      urls: config.databaseUrls,
      poolMax: config.databasePoolMax,
      entities: ALL_ENTITIES,
      log,
    }),
  );
  const build = readBuildInfo(process.env);
  const metrics = createMetrics(build);
  const refused = createRefusedAccess(database, { nowMs: () => performance.now() });
  const clock: TestDeps['clock'] = {
    nowMs: () => setMs ?? Date.now(),
    setMs: nowMs => {
      setMs = nowMs;
    },
  };
  const warehouses = createWarehouses({
    urls: config.clickhouseUrls,
    cells: createCells(database, { nowMs: () => performance.now() }),
    log,
  });
  return {
    config,
    build,
    log,
    clock,
    newId: () => uuidv7(),
    database,
    metrics,
    reportOutage: () => undefined,
    pinning: versionPinning,
    segmentMembers: segmentEntries,
    ingestNodes: createIngestNodes({ urls: config.ingestNodeUrls, clock, log }),
    refused,
    live: createLiveFeeds({ config, database, clock, log, metrics, refused }),
    points: new PointBuckets({ pointsMax: 10_000, pointsPerSecond: 1_000 }),
    gateway: createGatewayClient({ ...config.gateway, newId: () => uuidv7() }),
    warehouses: {
      ...warehouses,
      ask: question => whenAvailable(() => warehouses.ask(question), never),
    },
  };
}

/**
 * Many tests share two connections, so on a busy machine one can wait longer than a request does. Nothing
 * was run before, so the transaction is tried again.
 */
function waitingForConnections(database: Database): Database {
  return {
    ...database,
    asTenant: (organizationId, work) =>
      whenAvailable(() => database.asTenant(organizationId, work), never),
    asSystem: work => whenAvailable(() => database.asSystem(work), never),
    openRead: organizationId => whenAvailable(() => database.openRead(organizationId), never),
    openReplicaRead: organizationId =>
      whenAvailable(() => database.openReplicaRead(organizationId), never),
  };
}

/** Only errors say that a part is unavailable, not results. */
const never = () => false;

/** The context of a request, by default from an owner of the tenant. */
export function contextOf(
  deps: AppDeps,
  tenant: Pick<Tenant, 'organizationId' | 'workspaceId'>,
  { roles = ['owner'], userId = 'user-1' }: { roles?: readonly Role[]; userId?: string } = {},
): Context {
  const { organizationId, workspaceId } = tenant;
  return createContext(deps, uuidv7(), {
    userId,
    organizationId,
    workspaceId,
    roles: new Set(roles),
  });
}
