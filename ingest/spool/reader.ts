// A reader of a log: takes sealed segments in order, one or several neighbors at a time, passes
// them to `handle`, and continues only when the cursor is durably past them. A crash at any point
// repeats them, so `handle` must be idempotent. There are two readers: the warehouse's, and the
// outbox for Postgres. Any failure of a database is retried; only a file that the disk cannot read
// is quarantined, so that the others continue.

import type { Clock } from '../clock.ts';
import { RETRY_WAIT_MAX_MS, UNREADABLE_TRIES_MAX } from '../limits.ts';
import { saveCursor } from './cursor.ts';
import type { FileSystem } from './file-system.ts';
import type { RowTotals } from './row-totals.ts';
import type { SealedSegment } from './segment.ts';
import { isUnreadable } from './set-aside.ts';
import type { Shelf } from './shelf.ts';

type ReaderOptions = {
  readonly name: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly directory: string;
  readonly shelf: Shelf;
  readonly signal: AbortSignal;
  /** Counts the rows, if this reader does. */
  readonly totals?: RowTotals;
  /** The segments to handle together with the next one, which is the first of them. */
  take(next: SealedSegment): Promise<readonly SealedSegment[]>;
  /** Resolves to true once the segments' rows are applied; false if the process stopped before. */
  handle(segments: readonly SealedSegment[]): Promise<boolean>;
  /** Called if the disk cannot read the segment. Resolves when it is quarantined. */
  setAside(segment: SealedSegment): Promise<void>;
  onFailure(error: unknown): void;
};

const FIRST_WAIT_MS = 100;

/** Runs until the signal is aborted. */
export async function runReader(options: ReaderOptions): Promise<void> {
  const { name, shelf, signal, clock } = options;
  let failures = 0;
  let unreadable = 0;
  let unreadablePath = '';
  const aside = new Set<SealedSegment>();
  for (;;) {
    const next = await shelf.next(name, signal);
    if (next === undefined) return;
    try {
      const segments = await options.take(next);
      if (unreadable === UNREADABLE_TRIES_MAX) {
        const segment = segments.find(({ path }) => path === unreadablePath) ?? next;
        await options.setAside(segment);
        aside.add(segment);
        unreadable = 0;
      }
      const left = segments.filter(segment => !aside.has(segment));
      if (left.length > 0 && !(await options.handle(left))) return;
      const last = segments.at(-1)!;
      const totals = options.totals?.after(segments);
      await saveCursor(options.fs, options.directory, name, last.sequence + 1, totals);
      shelf.passed(name, last);
      if (totals !== undefined) options.totals?.pass(segments, totals);
      failures = 0;
      unreadable = 0;
      aside.clear();
    } catch (error) {
      if (signal.aborted) return;
      options.onFailure(error);
      await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** failures, RETRY_WAIT_MAX_MS), signal);
      failures++;
      if (isUnreadable(error)) unreadable++;
      else if (unreadable < UNREADABLE_TRIES_MAX) unreadable = 0;
      if (isUnreadable(error)) unreadablePath = error.path;
    }
  }
}
