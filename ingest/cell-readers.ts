// The two readers of a cell's log: the inserter delivers rows to the warehouse, and the outbox
// delivers to Postgres the rows that the control plane acts on.

import type { CellPipelineOptions } from './cell-pipeline.ts';
import { Inserter } from './insert/inserter.ts';
import { type Group, markGroup, readMarkers, sweepMarkers } from './insert/markers.ts';
import { markInParts } from './insert/parts-marker.ts';
import { inserterEvents, outboxEvents } from './observe/delivery-events.ts';
import { writeOutbox } from './outbox/outbox.ts';
import { PostgresUnavailable } from './postgres/grouped-statement.ts';
import { type ReportDamage, readSegment } from './spool/read-segment.ts';
import { runReader } from './spool/reader.ts';
import type { RowTotals } from './spool/row-totals.ts';
import type { SealedSegment } from './spool/segment.ts';
import { SegmentReads } from './spool/segment-reads.ts';
import { linkAside } from './spool/set-aside.ts';
import type { Shelf } from './spool/shelf.ts';

export const CLICKHOUSE_READER = 'clickhouse';
const OUTBOX_READER = 'outbox';
/** Each has a cursor of this name in the directory of the log. */
export const READERS = [CLICKHOUSE_READER, OUTBOX_READER] as const;
/**
 * The number of segments after which the outbox saves its cursor. A save costs two syncs, and most
 * segments have no rows for it.
 */
const OUTBOX_SEGMENTS_MAX = 100;

type ByReader = Readonly<Record<(typeof READERS)[number], number>>;

export function byReader(of: (reader: string) => number): ByReader {
  return { clickhouse: of(CLICKHOUSE_READER), outbox: of(OUTBOX_READER) };
}

export type Readers = {
  /** Resolves after the signal. */
  readonly ended: Promise<unknown>;
  /** False while ClickHouse may have lost confirmed rows and has not been queried for them. */
  hasVerifiedKept(): boolean;
};

/** The readers run until the signal is aborted. */
export function startReaders(
  options: CellPipelineOptions,
  shelf: Shelf,
  totals: RowTotals,
  signal: AbortSignal,
): Readers {
  const { fs, clock, directory, metrics, log, cell } = options;
  const common = {
    fs,
    clock,
    directory,
    shelf,
    signal,
    setAside: async ({ path, bytes }: SealedSegment) => {
      const quarantinedAs = await linkAside(fs, directory, path);
      metrics.spoolDamagedBytes.inc(bytes);
      log.error({ cell, path, quarantinedAs, bytes }, 'segment unreadable: moved to quarantine');
    },
    onFailure: (error: unknown) => {
      if (error instanceof PostgresUnavailable) {
        log.warn(
          { cell, error: error.message },
          'Postgres unavailable: contacts and webhooks are delayed',
        );
        return;
      }
      metrics.spoolFailures.inc();
      log.error({ cell, error: String(error) }, 'spool reader failed, retrying');
    },
  };
  const reads = segmentReads(options);
  const inserter = new Inserter({
    ...inserterDeps(options, reads, shelf, signal),
    onDelivered: rows => totals.confirm(rows),
  });
  const ended = Promise.all([
    runReader({
      ...common,
      name: CLICKHOUSE_READER,
      totals,
      take: first => inserter.take(first),
      handle: group => inserter.insertGroup(group),
    }),
    runReader({
      ...common,
      name: OUTBOX_READER,
      take: async first => shelf.from(first, OUTBOX_SEGMENTS_MAX),
      handle: segments => passToPostgres(options, reads, segments, signal),
    }),
    inserter.watchKept(),
  ]);
  return { ended, hasVerifiedKept: () => inserter.hasVerifiedKept };
}

/**
 * Resolves to true once all rows of the segments for Postgres are committed; false if the process
 * stopped before.
 */
async function passToPostgres(
  options: CellPipelineOptions,
  reads: SegmentReads,
  segments: readonly SealedSegment[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const segment of segments.filter(({ mayHaveOutboxRows }) => mayHaveOutboxRows)) {
    if (signal.aborted) return false;
    await reads.use([segment], async ([contents]) => {
      if (contents === undefined) return;
      const endTimer = options.metrics.outboxSeconds.startTimer();
      await writeOutbox(contents, {
        client: () => options.outboxLink.client,
        ...outboxEvents(options),
      });
      endTimer();
    });
  }
  return true;
}

function segmentReads({ fs, directory, metrics, log, cell }: CellPipelineOptions): SegmentReads {
  const reportDamage: ReportDamage = damage => {
    metrics.spoolDamagedBytes.inc(damage.bytes);
    const isRepaired = damage.quarantinedAs === undefined;
    const told = isRepaired
      ? 'segment header damaged: reconstructed, no rows lost'
      : 'damaged spool data moved to quarantine';
    log.error({ cell, ...damage }, told);
  };
  return new SegmentReads(segment => readSegment(fs, directory, segment, reportDamage));
}

function inserterDeps(
  options: CellPipelineOptions,
  reads: SegmentReads,
  shelf: Shelf,
  signal: AbortSignal,
) {
  const { fs, clock, directory, metrics, log, cell, clickhouse } = options;
  return {
    clickhouse,
    clock,
    random: () => options.random(),
    signal,
    reads,
    passedSegments: () => shelf.passedBy(CLICKHOUSE_READER),
    keepAnew: (group: readonly SealedSegment[]) => shelf.keepAnew(group),
    groups: {
      clickhouse,
      waitingFrom: (segment: SealedSegment) => shelf.from(segment),
      sweepMarkers: () => sweepMarkers(fs, directory),
      markGroup: (group: Group) => markGroup(fs, directory, group),
    },
    readMarkers: () => readMarkers(fs, directory),
    markInParts: (segment: SealedSegment) => markInParts(fs, directory, segment),
    ...inserterEvents(options),
    onVerificationFailure: (error: unknown) => {
      metrics.spoolFailures.inc();
      log.error({ cell, error: String(error) }, 'retained segment could not be verified');
    },
  };
}
