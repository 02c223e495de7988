// Counts the rows of a log for ClickHouse, from disk to confirmation. Both totals are saved with the
// reader's cursor and thus continue after a restart: stored rows that are neither delivered nor
// waiting are missing.

import type { SealedSegment } from './segment.ts';

export type Totals = {
  /** Rows in sealed segments. */
  readonly stored: number;
  /** Of these, the rows that ClickHouse has confirmed, in their table or in rejected_events. */
  readonly delivered: number;
};

export class RowTotals {
  /** Those of the segments that the cursor has passed. */
  private passed: Totals;
  private waiting = 0;
  private inHand = 0;

  constructor(passed: Totals) {
    this.passed = passed;
  }

  /** The segment waits for the reader. */
  add({ rows }: SealedSegment): void {
    this.waiting += rows;
  }

  /** ClickHouse has all rows of the segments that the reader handles. */
  confirm(rows: number): void {
    this.inHand = rows;
  }

  /** The totals once the cursor has passed these segments. */
  after(segments: readonly SealedSegment[]): Totals {
    const delivered = this.inHand;
    // For some segments, the number of rows is known only after delivery.
    const stored = Math.max(delivered, rowsIn(segments));
    return { stored: this.passed.stored + stored, delivered: this.passed.delivered + delivered };
  }

  /** The cursor with these totals is durable. */
  pass(segments: readonly SealedSegment[], totals: Totals): void {
    this.passed = totals;
    this.waiting -= rowsIn(segments);
    this.inHand = 0;
  }

  current(): Totals & { readonly waiting: number } {
    const { passed, waiting } = this;
    return { stored: passed.stored + waiting, delivered: passed.delivered, waiting };
  }
}

function rowsIn(segments: readonly SealedSegment[]): number {
  return segments.reduce((sum, { rows }) => sum + rows, 0);
}
