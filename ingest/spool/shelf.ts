// The sealed segments of a log, from sealing to unlinking. Each reader takes them in order and
// moves its own durable cursor. A segment is delivered when all cursors are past it. It is then
// retained for a while, because the warehouse may lose unsynced rows, and is removed when that time
// is over or its space is needed.

import type { Clock } from '../clock.ts';
import { RETENTION_MS } from '../limits.ts';
import type { FileSystem } from './file-system.ts';
import { firstIndex } from './first-index.ts';
import type { SealedSegment } from './segment.ts';

type ShelfOptions = {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly directory: string;
  readonly readers: readonly string[];
  readonly retainedBytesMax: number;
  /** Called with the number of bytes that are no longer undelivered. */
  onPassed(bytes: number): void;
};

type Retained = SealedSegment & { passedAtMs: number };

export class Shelf {
  private readonly options: ShelfOptions;
  private readonly segments: SealedSegment[] = [];
  private readonly positions = new Map<string, number>();
  private readonly retained: Retained[] = [];
  private readonly arrivals = new Set<() => void>();
  /** By sequence, of the segments above; by the monotonic clock. */
  private readonly firstRowAtMs = new Map<number, number>();
  /** Running sums over the lists, which may be long. */
  private unsent = 0;
  private retainedSum = 0;

  constructor(options: ShelfOptions, cursors: ReadonlyMap<string, number>) {
    this.options = options;
    for (const name of options.readers) this.positions.set(name, cursors.get(name) ?? 0);
  }

  add(segment: SealedSegment): void {
    if (segment.sequence < this.passedSequence()) this.retain(segment);
    else {
      this.segments.splice(this.indexOf(segment.sequence), 0, segment);
      this.firstRowAtMs.set(segment.sequence, this.firstRowMonotonicMs(segment));
      this.unsent += segment.bytes;
    }
    for (const wake of this.arrivals) wake();
    this.arrivals.clear();
  }

  /**
   * Resolves to the reader's next segment when there is one; undefined once the signal is aborted.
   */
  async next(reader: string, signal: AbortSignal): Promise<SealedSegment | undefined> {
    while (!signal.aborted) {
      const segment = this.segments[this.indexOf(this.positions.get(reader) ?? 0)];
      if (segment !== undefined) return segment;
      await this.arrival(signal);
    }
    return undefined;
  }

  /** The segment and those after it, in order; at most `most`. */
  from(segment: SealedSegment, most = Number.POSITIVE_INFINITY): readonly SealedSegment[] {
    const index = this.indexOf(segment.sequence);
    return this.segments.slice(index, index + most);
  }

  /** The reader's durable cursor is past this segment. */
  passed(reader: string, segment: SealedSegment): void {
    this.positions.set(reader, segment.sequence + 1);
    for (const done of this.segments.splice(0, this.indexOf(this.passedSequence()))) {
      this.firstRowAtMs.delete(done.sequence);
      this.unsent -= done.bytes;
      this.options.onPassed(done.bytes);
      this.retain(done);
    }
  }

  /** The bytes that at least one reader has not processed. */
  unsentBytes(): number {
    return this.unsent;
  }

  /** The bytes that this reader has not processed. Walks the list, so it is for scrapes only. */
  unsentBytesOf(reader: string): number {
    let bytes = 0;
    for (let i = this.indexOf(this.positions.get(reader) ?? 0); i < this.segments.length; i++)
      bytes += this.segments[i]!.bytes;
    return bytes;
  }

  /** How long the oldest unprocessed row of the reader has waited; 0 if there is none. */
  oldestUnsentMs(reader: string): number {
    const oldest = this.segments[this.indexOf(this.positions.get(reader) ?? 0)];
    const sinceMs = oldest && this.firstRowAtMs.get(oldest.sequence);
    return sinceMs === undefined ? 0 : this.options.clock.monotonicMs() - sinceMs;
  }

  /** The segments before the reader's cursor that are still on disk, including undelivered ones. */
  passedBy(reader: string): readonly SealedSegment[] {
    const position = this.positions.get(reader) ?? 0;
    return [...this.retained, ...this.segments.slice(0, this.indexOf(position))];
  }

  /** The bytes of retained segments. */
  retainedBytes(): number {
    return this.retainedSum;
  }

  /** Restarts the retention of these segments after their rows were inserted, possibly again. */
  keepAnew(segments: readonly SealedSegment[]): void {
    for (const { sequence } of segments) {
      const kept = this.retained[firstIndex(this.retained, other => other.sequence >= sequence)];
      if (kept?.sequence === sequence) kept.passedAtMs = this.options.clock.monotonicMs();
    }
  }

  /**
   * Unlinks segments whose retention has ended, unless ClickHouse still has to be queried for their
   * rows, and segments above the space limit; with `makesRoom`, all retained segments.
   */
  async sweep({ makesRoom, mayForget }: { makesRoom: boolean; mayForget: boolean }): Promise<void> {
    const { clock, fs, directory, retainedBytesMax } = this.options;
    const oldestMs = clock.monotonicMs() - RETENTION_MS;
    let hasUnlinked = false;
    for (;;) {
      const segment = this.retained[0];
      if (segment === undefined) break;
      const isOldEnough = mayForget && segment.passedAtMs <= oldestMs;
      if (!makesRoom && !isOldEnough && this.retainedSum <= retainedBytesMax) break;
      await unlink(fs, segment.path);
      this.retained.shift();
      this.retainedSum -= segment.bytes;
      hasUnlinked = true;
    }
    if (hasUnlinked) await fs.syncDirectory(directory);
  }

  /** Reads the wall clock only once, so that changing it later makes no segment older or newer. */
  private firstRowMonotonicMs({ firstFrameAtMs, createdAtMs }: SealedSegment): number {
    const { clock } = this.options;
    if (firstFrameAtMs !== undefined) return firstFrameAtMs;
    // The time in an unreadable header is unknown; the segment counts as new.
    const ageMs = createdAtMs === 0 ? 0 : Math.max(0, clock.nowMs() - createdAtMs);
    return clock.monotonicMs() - ageMs;
  }

  private retain(segment: SealedSegment): void {
    this.retained.push({ ...segment, passedAtMs: this.options.clock.monotonicMs() });
    this.retainedSum += segment.bytes;
  }

  /** The index of the first segment with this sequence number or a higher one. */
  private indexOf(sequence: number): number {
    return firstIndex(this.segments, segment => segment.sequence >= sequence);
  }

  private passedSequence(): number {
    return Math.min(...this.positions.values());
  }

  private arrival(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.arrivals.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.arrivals.add(wake);
    });
  }
}

/** A quarantined segment no longer exists. */
async function unlink(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
