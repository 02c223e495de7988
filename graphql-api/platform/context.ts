// What every request and every job is given: AppDeps once per process, a Context once per piece of
// work. When something new must reach them all, it is added here.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { BuildInfo } from '../../schema/environment/build-info.ts';
import type { Config } from './config.ts';
import type { Database, OpenTransaction } from './database/database.ts';
import type { Metrics } from './observe/metrics.ts';
import type { PointBuckets } from './point-buckets.ts';
import type { Viewer } from './viewer.ts';
import type { Warehouses } from './warehouse/clickhouse.ts';
import type { IngestNodes } from './warehouse/ingest-nodes.ts';

/** A slice adds what only it provides in its `deps.ts`, by declaration merging. */
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
  /** What each tenant may still ask, of GraphQL and REST together. */
  readonly points: PointBuckets;
  /** ClickHouse of every cell, to be read only. */
  readonly warehouses: Warehouses;
  /** What ingest's nodes say of themselves. */
  readonly ingestNodes: IngestNodes;
}

export type Context = {
  readonly deps: AppDeps;
  readonly requestId: string;
  /** Undefined where no token was sent; a bad one never comes this far. */
  readonly viewer: Viewer | undefined;
  /**
   * The EntityManager of the one read-only transaction that all queries of the request share, opened
   * at the first call: one snapshot of the viewer's organisation. Not for keeping across an action.
   */
  read(): Promise<EntityManager>;
  /** Ends the read transaction, so that an action doesn't hold two connections and the next read
   * sees what it did. */
  endRead(): Promise<void>;
  /** Adds to the one log line of the request; never inputs, tokens or anything secret. */
  note(facts: Readonly<Record<string, string | number | boolean>>): void;
  /** What was noted. */
  readonly notes: Readonly<Record<string, string | number | boolean>>;
  /** The work is over, however it went; no read may follow. */
  finish(): Promise<void>;
};

export function createContext(
  deps: AppDeps,
  requestId: string,
  viewer: Viewer | undefined,
): Context {
  let reading: Promise<OpenTransaction> | undefined;
  let isFinished = false;
  const notes: Record<string, string | number | boolean> = {};

  async function endRead(): Promise<void> {
    const open = reading;
    reading = undefined;
    await (await open)?.close();
  }

  return {
    deps,
    requestId,
    viewer,
    async read() {
      if (viewer === undefined) throw new Error('a read without a viewer');
      if (isFinished) throw new Error('a read after the end of its request');
      reading ??= deps.database.openRead(viewer.organizationId);
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
