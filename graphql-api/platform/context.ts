// The dependencies of all requests and jobs: AppDeps is created once per process, a Context once per
// request or job.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { BuildInfo } from '../../schema/environment/build-info.ts';
import type { ReportOutage } from '../../schema/telemetry/report-outage.ts';
import type { Config } from './config.ts';
import type { Database, OpenTransaction } from './database/database.ts';
import type { Metrics } from './observe/metrics.ts';
import type { PointBuckets } from './point-buckets.ts';
import type { RefusedAccess } from './refused-access.ts';
import type { Viewer } from './viewer.ts';
import type { Warehouses } from './warehouse/clickhouse.ts';
import type { IngestNodes } from './warehouse/ingest-nodes.ts';

/** A slice adds its own dependencies in its `deps.ts`, by declaration merging. */
export interface AppDeps {
  readonly config: Config;
  readonly build: BuildInfo;
  readonly log: Logger;
  /** The service's time. */
  readonly clock: { nowMs(): number };
  /** A UUIDv7. */
  readonly newId: () => string;
  readonly database: Database;
  readonly metrics: Metrics;
  /** Logs that a request failed because Postgres is unavailable. */
  readonly reportOutage: ReportOutage;
  /** The rate limits of tenants, shared by GraphQL and REST. */
  readonly points: PointBuckets;
  /** Closed organizations and revoked users. */
  readonly refused: RefusedAccess;
  /** Read access to the ClickHouse of every cell. */
  readonly warehouses: Warehouses;
  readonly ingestNodes: IngestNodes;
}

export type Context = {
  readonly deps: AppDeps;
  readonly requestId: string;
  /** Undefined if no token was sent. An invalid token is rejected earlier. */
  readonly viewer: Viewer | undefined;
  /**
   * The EntityManager of the read-only transaction that all queries of the request share, opened at
   * the first call. A snapshot of the viewer's organization with all changes so far, on the replica if
   * there is one; an action ends it.
   */
  read(): Promise<EntityManager>;
  /** Ends the read transaction, so that an action does not hold two connections and later reads see
   * its changes. */
  endRead(): Promise<void>;
  /** Adds to the log line of the request. Never inputs, tokens or secrets. */
  note(facts: Readonly<Record<string, string | number | boolean>>): void;
  readonly notes: Readonly<Record<string, string | number | boolean>>;
  /** Ends the request or job, successful or not. No read may follow. */
  finish(): Promise<void>;
};

export function createContext(
  deps: AppDeps,
  requestId: string,
  viewer: Viewer | undefined,
): Context {
  let reading: Promise<OpenTransaction> | undefined;
  let isFinished = false;
  let hasActed = false;
  const notes: Record<string, string | number | boolean> = {};

  async function endRead(): Promise<void> {
    hasActed = true;
    const open = reading;
    reading = undefined;
    await (await open)?.close();
  }

  return {
    deps,
    requestId,
    viewer,
    async read() {
      if (viewer === undefined) throw new Error('read() needs a viewer');
      if (isFinished) throw new Error('read() was called after the end of the request');
      // After an action, reads go to the primary, so they see its changes without waiting for the
      // replica.
      reading ??= hasActed
        ? deps.database.openRead(viewer.organizationId)
        : deps.database.openReplicaRead(viewer.organizationId);
      return (await reading).em;
    },
    endRead,
    notes,
    note: facts => void Object.assign(notes, facts),
    async finish() {
      isFinished = true;
      await endRead();
    },
  };
}
