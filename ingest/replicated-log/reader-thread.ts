// The thread that delivers the rows of the replicated log: for each cell, a member of the inserters
// and one of the outbox writers. The main thread runs its Postgres statements.

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { BuildInfo } from '../../schema/environment/build-info.ts';
import { startTelemetry, telemetry } from '../../schema/telemetry/telemetry.ts';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { connectCell } from '../insert/connect-cell.ts';
import { createLogger } from '../observe/logger.ts';
import { createMetrics } from '../observe/metrics.ts';
import { ThreadDatabase } from '../postgres/thread-database.ts';
import { nodeFileSystem } from '../spool/file-system.ts';
import type { ToMain, ToWorker } from '../thread-messages.ts';
import { brokerGroup } from './broker-group.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { CellLogReaders, type CellLogReadersOptions, reportFailure } from './cell-log-readers.ts';
import { cellNames } from './topic-names.ts';

export type ReaderSetup = {
  readonly config: Config;
  readonly brokers: BrokersConfig;
  readonly build: BuildInfo;
};

const { config, brokers, build } = workerData as ReaderSetup;
const port = parentPort!;
const log = createLogger('ingest', config.logLevel).child({ thread: 'log-reader' });
await startTelemetry(process.env, { serviceName: 'engagement-ingest', version: build.version });
const metrics = createMetrics();
const clock = createClock(config.clockFile);
const database = new ThreadDatabase(items => tell({ kind: 'items', items }));
const stopping = new AbortController();
const clients = Object.entries(config.clickhouseUrls).map(([cell, url]) => ({
  cell,
  clickhouse: connectCell(url, {
    quorum: config.insertQuorums[cell] ?? 1,
    monotonicMs: () => clock.monotonicMs(),
  }),
}));
const readers = clients.map(
  ({ cell, clickhouse }) =>
    new CellLogReaders({
      cell,
      groups: groupsOf(cell),
      clickhouse,
      outboxLink: database.outbox,
      clock,
      random: Math.random,
      fs: nodeFileSystem,
      directory: join(config.dataDirectory, 'ingest', 'log', cell),
      metrics,
      log,
    }),
);
const ended = Promise.all(readers.map(reader => reader.run(stopping.signal)));
port.on('message', (message: ToWorker) => receive(message));
tell({ kind: 'opened' });

function groupsOf(cell: string): CellLogReadersOptions['groups'] {
  const names = cellNames(brokers.prefix, cell);
  const common = { config: brokers, clock, random: Math.random };
  return {
    clickhouse: brokerGroup({
      ...common,
      groupId: names.inserters,
      topic: names.rows,
      openBlocksTopic: names.openBlocks,
      onFailure: reportFailure({ cell, log, metrics }, 'clickhouse'),
    }),
    outbox: brokerGroup({
      ...common,
      groupId: names.outboxWriters,
      topic: names.outbox,
      openBlocksTopic: undefined,
      onFailure: reportFailure({ cell, log, metrics }, 'outbox'),
    }),
  };
}

function receive(message: ToWorker): void {
  switch (message.kind) {
    case 'outbox':
      database.setOutboxConnected(message.isConnected);
      return;
    case 'outcomes':
      database.settle(message.outcomes);
      return;
    case 'collect':
      void collect(message.ask);
      return;
    case 'listen':
      tell({ kind: 'listening' });
      return;
    case 'refuse':
      tell({ kind: 'refusing' });
      return;
    case 'drain':
      void drain();
      return;
    case 'close':
      tell({ kind: 'closed' });
      return;
    case 'directory':
    case 'campaigns':
    case 'state':
    case 'leased':
    case 'metrics':
    case 'watched':
    case 'tailed':
      // These messages concern requests, which this thread does not have.
      return;
  }
}

async function collect(ask: number): Promise<void> {
  metrics.logLagRecords.reset();
  for (const reader of readers) reader.setGauges();
  tell({ kind: 'collected', ask, metrics: await metrics.registry.getMetricsAsJSON() });
}

/** Undelivered records stay in the log, for another member or for the next start. */
async function drain(): Promise<void> {
  stopping.abort();
  // Ends requests in progress. The next attempt treats their outcome as unknown.
  for (const { clickhouse } of clients) clickhouse.close();
  database.stop();
  await ended;
  await telemetry()?.stop();
  tell({ kind: 'drained' });
}

function tell(message: ToMain): void {
  port.postMessage(message);
}
