// Shares the reads of segments. Both readers of a log request a new segment at the same moment, so
// they share one scan of it.

import type { SegmentContents } from './read-segment.ts';
import type { SealedSegment } from './segment.ts';

/** Undefined if no part of it can be read. */
type ReadSegment = (segment: SealedSegment) => Promise<SegmentContents | undefined>;

type Reading = { readonly contents: Promise<SegmentContents | undefined>; users: number };

export class SegmentReads {
  private readonly read: ReadSegment;
  private readonly readings = new Map<SealedSegment, Reading>();

  constructor(read: ReadSegment) {
    this.read = read;
  }

  /** Runs the work with the readable segments, in order, and releases them afterwards. */
  async use<Result>(
    segments: readonly SealedSegment[],
    work: (contents: readonly SegmentContents[]) => Promise<Result>,
  ): Promise<Result> {
    const used: SealedSegment[] = [];
    try {
      const all: SegmentContents[] = [];
      for (const segment of segments) {
        const reading = this.readings.get(segment) ?? this.begin(segment);
        reading.users++;
        used.push(segment);
        const contents = await reading.contents;
        if (contents !== undefined) all.push(contents);
      }
      return await work(all);
    } finally {
      for (const segment of used) this.end(segment);
    }
  }

  private end(segment: SealedSegment): void {
    const reading = this.readings.get(segment);
    if (reading === undefined) return;
    reading.users--;
    if (reading.users === 0) this.readings.delete(segment);
  }

  private begin(segment: SealedSegment): Reading {
    const reading = { contents: this.read(segment), users: 0 };
    this.readings.set(segment, reading);
    return reading;
  }
}
