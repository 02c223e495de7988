// One log of one cell and its readers: recovers its files, appends to it (unless it belongs to a
// thread that no longer exists), delivers it through the inserter and the outbox, and removes
// delivered segments.

import { basename } from 'node:path';
import type { Logger } from 'pino';
import { ALL_TABLES } from '../schema/rows/all-tables.ts';
import {
  byReader,
  CLICKHOUSE_READER,
  READERS,
  type Readers,
  startReaders,
} from './cell-readers.ts';
import type { Clock } from './clock.ts';
import type { CellIntake } from './http/cell-refusal.ts';
import type { ClickHouse } from './insert/clickhouse.ts';
import { sweepMarkers } from './insert/markers.ts';
import { DISK_RESERVE_BYTES, SEGMENT_AGE_MAX_MS } from './limits.ts';
import type { Metrics } from './observe/metrics.ts';
import type { PostgresClient } from './postgres/statement.ts';
import type { SpoolBudget } from './spool/budget.ts';
import { loadCursor, loadPosition } from './spool/cursor.ts';
import type { FileSystem } from './spool/file-system.ts';
import { recoverLog } from './spool/recover.ts';
import { RowTotals } from './spool/row-totals.ts';
import { encodeSegmentHeader } from './spool/segment-header.ts';
import { Shelf } from './spool/shelf.ts';
import { isRequeued } from './spool/spool-folders.ts';
import { SpoolLog } from './spool/spool-log.ts';

export type CellPipelineOptions = {
  readonly cell: string;
  readonly directory: string;
  /** False for a log that is only delivered. */
  readonly takesFrames: boolean;
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** From 0 to 1. */
  random(): number;
  /** A UUIDv7. */
  newId(): string;
  readonly clickhouse: ClickHouse;
  /** Its client is undefined while disconnected. */
  readonly outboxLink: { readonly client: PostgresClient | undefined };
  readonly budget: SpoolBudget;
  readonly retainedBytesMax: number;
  readonly metrics: Metrics;
  readonly log: Logger;
};

export class CellPipeline implements CellIntake {
  readonly notWritable = 'no segment';
  readonly cell: string;
  /** Whether `npm run spool -- requeue` created the log. */
  readonly isRequeued: boolean;
  private readonly options: CellPipelineOptions;
  private readonly shelf: Shelf;
  private readonly totals: RowTotals;
  private readonly stopping = new AbortController();
  private readers: Readers | undefined;
  private spoolLog: SpoolLog | undefined;
  private committedSinceSeal = 0;
  private ticks = 0;
  private sweeping: Promise<void> | undefined;

  private constructor(
    options: CellPipelineOptions,
    cursors: ReadonlyMap<string, number>,
    totals: RowTotals,
  ) {
    this.cell = options.cell;
    this.isRequeued = isRequeued(basename(options.directory));
    this.options = options;
    this.totals = totals;
    const { fs, clock, directory, budget } = options;
    this.shelf = new Shelf(
      {
        fs,
        clock,
        directory,
        readers: [...cursors.keys()],
        retainedBytesMax: options.retainedBytesMax,
        onPassed: bytes => budget.subtract(bytes),
      },
      cursors,
    );
  }

  static async open(options: CellPipelineOptions): Promise<CellPipeline> {
    const { fs, directory, metrics, log } = options;
    await fs.makeDirectory(directory);
    const cursors = new Map<string, number>();
    for (const reader of READERS) cursors.set(reader, await loadCursor(fs, directory, reader));
    const delivered = await loadPosition(fs, directory, CLICKHOUSE_READER);
    const id = options.newId();
    const header = encodeSegmentHeader({
      id,
      createdAtMs: options.clock.nowMs(),
      tables: ALL_TABLES,
    });
    const recovery = await recoverLog({
      fs,
      directory,
      headerBytes: header.length,
      readSequence: Math.max(...cursors.values()),
      onFailure: error => {
        metrics.spoolFailures.inc();
        log.error({ cell: options.cell, error: String(error) }, 'segment recovery failed');
      },
    });
    await sweepMarkers(fs, directory);
    metrics.spoolTornBytes.inc(recovery.tornBytes);
    for (const path of recovery.endless) {
      metrics.spoolEndlessSegments.inc();
      log.error(
        { cell: options.cell, path },
        'segment has no seal: its end was truncated or never written',
      );
    }
    const pipeline = new CellPipeline(options, cursors, new RowTotals(delivered.totals));
    for (const segment of recovery.segments) {
      pipeline.shelf.add(segment);
      if (segment.sequence >= delivered.sequence) pipeline.totals.add(segment);
    }
    options.budget.add(pipeline.shelf.unsentBytes());
    if (recovery.segments.length > 0)
      log.info(
        { cell: options.cell, segments: recovery.segments.length, tornBytes: recovery.tornBytes },
        'spool recovered',
      );
    // Never below a cursor: a segment below it would count as delivered.
    const firstSequence = Math.max(recovery.nextSequence, ...cursors.values());
    if (options.takesFrames) pipeline.spoolLog = await pipeline.openLog(firstSequence);
    const { shelf, totals, stopping } = pipeline;
    pipeline.readers = startReaders(options, shelf, totals, stopping.signal);
    return pipeline;
  }

  /** The log to append to in this turn of the event loop; undefined if it accepts nothing now. */
  writableLog(): SpoolLog | undefined {
    const { spoolLog } = this;
    return spoolLog?.refusal() === undefined ? spoolLog : undefined;
  }

  room() {
    return this.options.budget.room();
  }

  /** Called by a timer several times a second. */
  tick(): void {
    this.spoolLog?.tick();
    this.ticks++;
    if (this.ticks % TICKS_PER_SWEEP !== 0) return;
    this.sweeping ??= this.sweep().finally(() => {
      this.sweeping = undefined;
    });
  }

  stats() {
    const openMs = this.spoolLog?.oldestRowAgeMs() ?? 0;
    return {
      unsentBytes: this.shelf.unsentBytes() + this.committedSinceSeal,
      retainedBytes: this.shelf.retainedBytes(),
      /** By reader, because rows that wait only for Postgres are already in the warehouse. */
      oldestUnsentMs: byReader(reader => Math.max(openMs, this.shelf.oldestUnsentMs(reader))),
    };
  }

  /** For scrapes. */
  lag() {
    const waiting = this.committedSinceSeal;
    return {
      rows: this.totals.current(),
      unsentBytes: byReader(reader => this.shelf.unsentBytesOf(reader) + waiting),
    };
  }

  /** Accepts nothing more. Resolves when all accepted rows are in sealed segments. */
  async seal(): Promise<void> {
    await this.spoolLog?.close();
    this.spoolLog = undefined;
  }

  /** Seals the log, gives the readers until `drainMs` to deliver the rest, and stops. */
  async close(drainMs: number): Promise<void> {
    const { clock } = this.options;
    await this.seal();
    const deadlineMs = clock.monotonicMs() + drainMs;
    while (this.shelf.unsentBytes() > 0 && clock.monotonicMs() < deadlineMs)
      await clock.sleep(DRAIN_LOOK_MS);
    this.stopping.abort();
    // Aborts requests in progress. The next start treats their outcome as unknown.
    this.options.clickhouse.close();
    await this.readers?.ended;
    await this.sweeping;
  }

  private openLog(firstSequence: number): Promise<SpoolLog> {
    const { fs, clock, directory, budget, metrics, log, cell } = this.options;
    return SpoolLog.open({
      fs,
      clock,
      directory,
      tables: ALL_TABLES,
      firstSequence,
      newId: () => this.options.newId(),
      onCommit: (bytes, ms) => {
        this.committedSinceSeal += bytes;
        budget.add(bytes);
        metrics.fsyncSeconds.observe(ms / 1000);
        metrics.fsyncBytes.inc(bytes);
      },
      onSealed: segment => {
        budget.add(segment.bytes - this.committedSinceSeal);
        this.committedSinceSeal = 0;
        this.shelf.add(segment);
        this.totals.add(segment);
      },
      onFailure: error => {
        metrics.spoolFailures.inc();
        log.error({ cell, error: String(error) }, 'spool write failed');
      },
    });
  }

  private async sweep(): Promise<void> {
    const { fs, directory, budget, metrics, log, cell } = this.options;
    try {
      const freeBytes = await fs.freeBytes(directory);
      metrics.diskFreeBytes.set(freeBytes);
      const isLow = freeBytes < DISK_RESERVE_BYTES;
      const mayForget = this.readers?.hasVerifiedKept() ?? false;
      await this.shelf.sweep({ makesRoom: isLow, mayForget });
      if (isLow !== budget.isDiskLow)
        log.warn(
          { cell, isLow },
          `disk space for the spool is ${isLow ? 'low' : 'sufficient again'}`,
        );
      budget.isDiskLow = isLow;
    } catch (error) {
      log.error(
        { cell, error: String(error) },
        'could not check the disk space or remove delivered segments, retrying',
      );
    }
  }
}

/** How often a stopping log checks whether its readers are done. */
const DRAIN_LOOK_MS = 50;
/**
 * The interval of the timer that calls `tick`; must be shorter than the age at which a segment is
 * sealed.
 */
export const TICK_MS = SEGMENT_AGE_MAX_MS / 10;
const TICKS_PER_SWEEP = 10;
