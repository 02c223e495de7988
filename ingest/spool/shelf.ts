// The sealed segments of a log, from the moment they are sealed until they are unlinked. Each
// reader takes them in order and moves its own durable cursor; a segment is done when all readers
// are past it, is then kept for a while (the warehouse may still lose what it had not synced), and
// goes when that time is over or the room is needed.

import type { Clock } from '../clock.ts';
import { RETENTION_MS } from '../limits.ts';
import type { FileSystem } from './file-system.ts';
import { firstIndex } from './first-index.ts';
import type { SealedSegment } from './segment.ts';

export type ShelfOptions = {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly directory: string;
  readonly readers: readonly string[];
  readonly retainedBytesMax: number;
  /** Bytes that no longer count as unsent. */
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
  /** Sums over the lists, which may be long. */
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

  /** The reader's next segment; waits for one. Undefined once the signal is aborted. */
  async next(reader: string, signal: AbortSignal): Promise<SealedSegment | undefined> {
    while (!signal.aborted) {
      const segment = this.segments[this.indexOf(this.positions.get(reader) ?? 0)];
      if (segment !== undefined) return segment;
      await this.arrival(signal);
    }
    return undefined;
  }

  /** The segment and those behind it, in order; as many as there are, or `most`. */
  from(segment: SealedSegment, most = Number.POSITIVE_INFINITY): readonly SealedSegment[] {
    const index = this.indexOf(segment.sequence);
    return this.segments.slice(index, index + most);
  }

  /** The reader's durable cursor is behind this segment. */
  passed(reader: string, segment: SealedSegment): void {
    this.positions.set(reader, segment.sequence + 1);
    for (const done of this.segments.splice(0, this.indexOf(this.passedSequence()))) {
      this.firstRowAtMs.delete(done.sequence);
      this.unsent -= done.bytes;
      this.options.onPassed(done.bytes);
      this.retain(done);
    }
  }

  /** Bytes that some reader has yet to take. */
  unsentBytes(): number {
    return this.unsent;
  }

  /** How long the oldest row has waited that the reader has yet to take; 0 where it has taken all. */
  oldestUnsentMs(reader: string): number {
    const oldest = this.segments[this.indexOf(this.positions.get(reader) ?? 0)];
    const sinceMs = oldest && this.firstRowAtMs.get(oldest.sequence);
    return sinceMs === undefined ? 0 : this.options.clock.monotonicMs() - sinceMs;
  }

  /** What is behind the reader's cursor and still on disk, whether or not others are past it. */
  passedBy(reader: string): readonly SealedSegment[] {
    const position = this.positions.get(reader) ?? 0;
    return [...this.retained, ...this.segments.slice(0, this.indexOf(position))];
  }

  /** Bytes of what is kept although all readers are past it. */
  retainedBytes(): number {
    return this.retainedSum;
  }

  /** Rows of these went in just now, also once more: what is retained of them is kept from now on. */
  keepAnew(segments: readonly SealedSegment[]): void {
    for (const { sequence } of segments) {
      const kept = this.retained[firstIndex(this.retained, other => other.sequence >= sequence)];
      if (kept?.sequence === sequence) kept.passedAtMs = this.options.clock.monotonicMs();
    }
  }

  /**
   * Unlinks what has been kept long enough, unless the warehouse has yet to be asked about it, and
   * what exceeds the room for it; with `makesRoom`, everything retained.
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

  /** The wall clock is asked once only: one that is set later makes nothing older or newer. */
  private firstRowMonotonicMs({ firstFrameAtMs, createdAtMs }: SealedSegment): number {
    const { clock } = this.options;
    if (firstFrameAtMs !== undefined) return firstFrameAtMs;
    // Of a header that could not be read nothing is known; it waits from now on.
    const ageMs = createdAtMs === 0 ? 0 : Math.max(0, clock.nowMs() - createdAtMs);
    return clock.monotonicMs() - ageMs;
  }

  private retain(segment: SealedSegment): void {
    this.retained.push({ ...segment, passedAtMs: this.options.clock.monotonicMs() });
    this.retainedSum += segment.bytes;
  }

  /** Of the first segment with this sequence number or a higher one. */
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

/** A segment that was set aside is gone already. */
async function unlink(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
