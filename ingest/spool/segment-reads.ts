// What is read of segments. Both readers of a log come for a new segment at the same moment, so that
// they share one reading; and its memory is used again for the next segment, since sixteen megabytes
// anew for each would be most of the garbage of the process.

import type { SegmentContents } from './read-segment.ts';
import type { SealedSegment } from './segment.ts';

/** Reads into `memory` where that is large enough; undefined when nothing of it can be read. */
export type ReadSegment = (
  segment: SealedSegment,
  memory: Buffer,
) => Promise<SegmentContents | undefined>;

type Reading = {
  readonly contents: Promise<SegmentContents | undefined>;
  readonly memory: Buffer;
  users: number;
};

/** A larger one, of a burst, is not kept. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** So that segments of about the same size fit the same memory. */
const GRAIN_BYTES = 1024 * 1024;

export class SegmentReads {
  private readonly read: ReadSegment;
  private readonly readings = new Map<SealedSegment, Reading>();
  private idle: Buffer | undefined;

  constructor(read: ReadSegment) {
    this.read = read;
  }

  /** The contents are `work`'s until it settles, and no longer. */
  async use<Result>(
    segment: SealedSegment,
    work: (contents: SegmentContents | undefined) => Promise<Result>,
  ): Promise<Result> {
    const reading = this.readings.get(segment) ?? this.begin(segment);
    reading.users++;
    try {
      return await work(await reading.contents);
    } finally {
      reading.users--;
      if (reading.users === 0) this.end(segment, reading);
    }
  }

  private begin(segment: SealedSegment): Reading {
    const memory = this.take(segment.bytes);
    const reading = { contents: this.read(segment, memory), memory, users: 0 };
    this.readings.set(segment, reading);
    return reading;
  }

  private end(segment: SealedSegment, { memory }: Reading): void {
    this.readings.delete(segment);
    if (memory.length > KEPT_BYTES_MAX) return;
    if (this.idle === undefined || this.idle.length < memory.length) this.idle = memory;
  }

  private take(bytes: number): Buffer {
    const { idle } = this;
    if (idle === undefined || idle.length < bytes)
      return Buffer.allocUnsafeSlow(Math.ceil(bytes / GRAIN_BYTES) * GRAIN_BYTES);
    this.idle = undefined;
    return idle;
  }
}
