import { v7 as newId } from 'uuid';
import { readBuildInfo } from '../../schema/environment/build-info.ts';
import { serviceTime } from '../../schema/environment/service-time.ts';
import { createReportOutage } from '../../schema/telemetry/report-outage.ts';
import { createLiveFeeds } from '../events/live/live-feeds.ts';
import { segmentEntries } from '../journeys/segment-entries.ts';
import { versionPinning } from '../journeys/version-pinning.ts';
import { createGatewayClient } from '../payments/client/gateway-client.ts';
import type { Config } from '../platform/config.ts';
import type { AppDeps } from '../platform/context.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createLogger } from '../platform/observe/logger.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { PointBuckets } from '../platform/point-buckets.ts';
import { createRefusedAccess } from '../platform/refused-access.ts';
import { createWarehouses } from '../platform/warehouse/clickhouse.ts';
import { createIngestNodes } from '../platform/warehouse/ingest-nodes.ts';
import { createCells } from '../tenancy/warehouse-cells.ts';
import { ALL_ENTITIES } from './all-entities.ts';

/** An idle tenant saves up points for at most this many seconds. */
const SAVED_SECONDS_MAX = 10;

/** Called once per process. The caller closes the warehouses and the database. */
export async function createAppDeps(
  config: Config,
  clock: AppDeps['clock'] = { nowMs: serviceTime(config.clockFile) },
): Promise<AppDeps> {
  const log = createLogger(config.logLevel);
  const build = readBuildInfo(process.env);
  const metrics = createMetrics(build);
  const database = await openDatabase({
    urls: config.databaseUrls,
    poolMax: config.databasePoolMax,
    entities: ALL_ENTITIES,
    log,
    measure: role => ({
      waited: seconds => metrics.poolWaitSeconds.observe({ role }, seconds),
      ran: seconds => metrics.statementSeconds.observe({ role }, seconds),
    }),
  });
  metrics.poolStates(() => database.poolStates());
  const points = new PointBuckets({
    pointsMax: config.ratePointsPerSecond * SAVED_SECONDS_MAX,
    pointsPerSecond: config.ratePointsPerSecond,
    onRefused: organizationId => metrics.throttled.add(organizationId),
  });
  const refused = createRefusedAccess(database, { nowMs: () => performance.now() });
  return {
    config,
    build,
    log,
    clock,
    newId: () => newId(),
    database,
    metrics,
    reportOutage: createReportOutage(facts =>
      log.error(facts, 'request failed: Postgres or the token issuer is unavailable'),
    ),
    points,
    pinning: versionPinning,
    segmentMembers: segmentEntries,
    ingestNodes: createIngestNodes({ urls: config.ingestNodeUrls, clock, log }),
    refused,
    live: createLiveFeeds({ config, database, clock, log, metrics, refused }),
    gateway: createGatewayClient({
      ...config.gateway,
      newId: () => newId(),
      onAttempt: (call, outcome, seconds) =>
        metrics.gatewaySeconds.observe({ call, outcome }, seconds),
    }),
    warehouses: createWarehouses({
      urls: config.clickhouseUrls,
      isCluster: config.clickhouseCluster !== undefined,

      cells: createCells(database, { nowMs: () => performance.now() }),
      log,
      onAsked: (outcome, seconds) => metrics.reportSeconds.observe({ outcome }, seconds),
    }),
  };
}
