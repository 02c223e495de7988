// What is read of segments. Both readers of a log come for a new segment at the same moment, so that
// they share one look through it.

import type { SegmentContents } from './read-segment.ts';
import type { SealedSegment } from './segment.ts';

/** Undefined when nothing of it can be read. */
export type ReadSegment = (segment: SealedSegment) => Promise<SegmentContents | undefined>;

type Reading = { readonly contents: Promise<SegmentContents | undefined>; users: number };

export class SegmentReads {
  private readonly read: ReadSegment;
  private readonly readings = new Map<SealedSegment, Reading>();

  constructor(read: ReadSegment) {
    this.read = read;
  }

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
      if (reading.users === 0) this.readings.delete(segment);
    }
  }

  private begin(segment: SealedSegment): Reading {
    const reading = { contents: this.read(segment), users: 0 };
    this.readings.set(segment, reading);
    return reading;
  }
}
