// The two readers of a cell's log: the inserters deliver rows to ClickHouse, and the outbox writers
// deliver to Postgres the rows that the control plane acts on. Each is a member of its own group.

import { join } from 'node:path';
import type { Logger } from 'pino';
import { createReportOutage } from '../../schema/telemetry/report-outage.ts';
import type { Clock } from '../clock.ts';
import type { ClickHouse } from '../insert/clickhouse.ts';
import { ServerStarts } from '../insert/server-starts.ts';
import { RETENTION_MS } from '../limits.ts';
import { outboxEvents } from '../observe/delivery-events.ts';
import type { Metrics } from '../observe/metrics.ts';
import { writeOutbox } from '../outbox/outbox.ts';
import { PostgresUnavailable } from '../postgres/grouped-statement.ts';
import type { PostgresClient } from '../postgres/statement.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { blockDepsOf, insertRecords } from './insert-records.ts';
import { joinRecords } from './join-records.ts';
import type { Fetched, LogGroup } from './log-group.ts';
import { LogReader, type LogReaderOptions } from './log-reader.ts';
import { RecentRecordIds } from './recent-record-ids.ts';
import { DamagedRecord, readRecord } from './record.ts';
import type { LogRecord } from './record-queue.ts';
import { verifyRecords } from './verify-records.ts';

export type CellLogReadersOptions = {
  readonly cell: string;
  readonly groups: Readonly<Record<'clickhouse' | 'outbox', LogGroup>>;
  readonly clickhouse: ClickHouse;
  /** Its client is undefined while disconnected. */
  readonly outboxLink: { readonly client: PostgresClient | undefined };
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly fs: FileSystem;
  /**
   * The quarantine of damaged records and of rows that neither their table nor rejected_events
   * accepts.
   */
  readonly directory: string;
  readonly metrics: Metrics;
  readonly log: Logger;
};

export class CellLogReaders {
  private readonly options: CellLogReadersOptions;
  private readonly serverStarts: ServerStarts;
  private readonly readers: Readonly<Record<'clickhouse' | 'outbox', LogReader>>;

  constructor(options: CellLogReadersOptions) {
    this.options = options;
    this.serverStarts = new ServerStarts(options.clickhouse);
    const { groups, outboxLink } = options;
    this.readers = {
      clickhouse: new LogReader({
        ...commonOptions(options, 'clickhouse'),
        group: groups.clickhouse,
        opensBlocks: true,
        verifySinceMs: () => this.verifySinceMs(),
        mayHaveLost: () => this.serverStarts.hasRestarted(),
        handle: (records, freshness, signal) => insertRecords(options, records, freshness, signal),
        verify: (records, signal) => verifyRecords(blockDepsOf(options, signal), records),
      }),
      outbox: new LogReader({
        ...commonOptions(options, 'outbox'),
        group: groups.outbox,
        // Its statements are idempotent, so any range may be applied again.
        opensBlocks: false,
        // Postgres loses nothing that it has confirmed.
        verify: async () => true,
        verifySinceMs: async () => undefined,
        mayHaveLost: async () => false,
        handle: async (records, _freshness, signal) => {
          for (const contents of joinRecords(records.flatMap(record => record.contents ?? []))) {
            if (signal.aborted) return false;
            const endTimer = options.metrics.outboxSeconds.startTimer();
            await writeOutbox(contents, {
              client: () => outboxLink.client,
              ...outboxEvents(options),
            });
            endTimer();
          }
          return true;
        },
      }),
    };
  }

  /** Resolves after the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Object.values(this.readers).map(reader => reader.run(signal)));
  }

  /**
   * A server that was restarted may have lost rows that it confirmed shortly before: the parts that
   * it had not synced, and sources of merges.
   */
  private async verifySinceMs(): Promise<number | undefined> {
    await this.serverStarts.hasRestarted();
    const startedMs = this.serverStarts.latestMs();
    const isRecent = this.options.clock.nowMs() - startedMs < RETENTION_MS;
    return isRecent ? startedMs - RETENTION_MS : undefined;
  }

  /** Called at each scrape. */
  setGauges(): void {
    const { metrics, cell } = this.options;
    for (const [reader, logReader] of Object.entries(this.readers)) {
      const lags = logReader.lag();
      for (const { partition, records } of lags ?? [])
        metrics.logLagRecords.set({ cell, reader, partition: String(partition) }, records);
      const ages = lags?.map(({ oldestMs = UNKNOWN }) => oldestMs) ?? [UNKNOWN];
      metrics.oldestUnsentSeconds.set({ cell, reader }, Math.max(0, ...ages) / 1000);
    }
  }
}

/** The value of a gauge that has none. With others, the maximum is unknown too. */
const UNKNOWN = Number.NaN;

function commonOptions(
  options: CellLogReadersOptions,
  reader: string,
): Pick<LogReaderOptions, 'clock' | 'read' | 'onLost' | 'onFailure'> {
  const { clock, cell, log, metrics } = options;
  const recentIds = new RecentRecordIds();
  return {
    clock,
    read: (partition, fetched) => read(options, recentIds, partition, fetched),
    onLost: (partition, records) => {
      metrics.logLostRecords.inc(Number(records));
      log.error(
        { cell, reader, partition, records: String(records) },
        'records lost: topic retention deleted them before they were read',
      );
    },
    onFailure: reportFailure(options, reader),
  };
}

/** For failures of the readers and of their groups. */
export function reportFailure(
  { cell, log, metrics }: Pick<CellLogReadersOptions, 'cell' | 'log' | 'metrics'>,
  reader: string,
): (error: unknown) => void {
  const report = createReportOutage(facts =>
    log.warn({ cell, reader, ...facts }, 'could not read the log, retrying'),
  );
  return error => {
    if (error instanceof PostgresUnavailable) {
      log.warn(
        { cell, error: error.message },
        'Postgres unavailable: contacts and webhooks are delayed',
      );
      return;
    }
    metrics.logReadFailures.inc();
    report(error);
  };
}

async function read(
  { clock, fs, directory, metrics, log, cell }: CellLogReadersOptions,
  recentIds: RecentRecordIds,
  partition: number,
  { offset, value }: Fetched,
): Promise<LogRecord> {
  const record = { offset, bytes: value.length, fetchedAtMs: clock.monotonicMs() };
  try {
    const contents = readRecord(value);
    const { id, createdAtMs } = contents.header;
    const isCopy = recentIds.isCopy(partition, id, offset);
    return { ...record, createdAtMs, contents: isCopy ? undefined : contents };
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    const path = await quarantine(fs, directory, `${partition}-${offset}.record`, value);
    metrics.spoolDamagedBytes.inc(value.length);
    log.error(
      { cell, partition, offset: String(offset), quarantinedAs: path, error: error.message },
      'record unreadable: copied to quarantine',
    );
    return { ...record, createdAtMs: clock.nowMs(), contents: undefined };
  }
}

async function quarantine(
  fs: FileSystem,
  directory: string,
  name: string,
  value: Buffer,
): Promise<string> {
  const folder = join(directory, 'quarantine');
  await fs.makeDirectory(folder);
  const path = join(folder, name);
  const file = await fs.overwrite(path);
  try {
    await file.write(value, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
  await fs.syncDirectory(folder);
  return path;
}
