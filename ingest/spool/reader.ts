// A reader of a log: takes sealed segments in order, hands each to `handle`, and moves on only when
// the cursor behind it is durable. Crashing anywhere repeats the segment, so `handle` must be
// harmless to repeat. There are two: the warehouse's, and the outbox's into Postgres. A database
// that fails, in whatever way, is waited for; only a file that the disk can't give back is set aside.

import type { Clock } from '../clock.ts';
import { RETRY_WAIT_MAX_MS, UNREADABLE_TRIES_MAX } from '../limits.ts';
import { saveCursor } from './cursor.ts';
import type { FileSystem } from './file-system.ts';
import type { SealedSegment } from './segment.ts';
import { isUnreadable } from './set-aside.ts';
import type { Shelf } from './shelf.ts';

export type ReaderOptions = {
  readonly name: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly directory: string;
  readonly shelf: Shelf;
  readonly signal: AbortSignal;
  /** Resolves once the segment's rows have had their effect; false when told to stop before. */
  handle(segment: SealedSegment): Promise<boolean>;
  /** The disk does not give the segment back. Resolves when it is kept for an operator. */
  setAside(segment: SealedSegment): Promise<void>;
  onFailure(error: unknown): void;
};

const FIRST_WAIT_MS = 100;

/** Runs until the signal is aborted. */
export async function runReader(options: ReaderOptions): Promise<void> {
  const { name, shelf, signal, clock } = options;
  let failures = 0;
  let unreadable = 0;
  for (;;) {
    const segment = await shelf.next(name, signal);
    if (segment === undefined) return;
    try {
      if (unreadable === UNREADABLE_TRIES_MAX) await options.setAside(segment);
      else if (!(await options.handle(segment))) return;
      await saveCursor(options.fs, options.directory, name, segment.sequence + 1);
      shelf.passed(name, segment);
      failures = 0;
      unreadable = 0;
    } catch (error) {
      if (signal.aborted) return;
      options.onFailure(error);
      await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** failures, RETRY_WAIT_MAX_MS), signal);
      failures++;
      if (isUnreadable(error)) unreadable++;
      else if (unreadable < UNREADABLE_TRIES_MAX) unreadable = 0;
    }
  }
}
