// Decides which waiting segments are inserted together. A single waiting segment is inserted alone,
// without a note. If several segments are waiting, the neighbors that fit into one block become a
// group, which is recorded durably before its first attempt. The rule "if some rows of a block are
// in ClickHouse, all are" would lose rows if a segment joined another one that had been tried
// alone. So a group contains only segments that were never tried: readers go in order, so of the
// segments left by an earlier process only the first may have been tried, and that one is inserted
// alone. A lost cursor would break this assumption, so ClickHouse is queried as well.

import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { GROUP_SEGMENTS_MAX, QUESTION_TIMEOUT_MS, SEGMENT_BYTES_MAX } from '../limits.ts';
import type { SealedSegment } from '../spool/segment.ts';
import type { ClickHouse } from './clickhouse.ts';
import { type Group, groupOf, isInParts, isWithin, type Markers } from './markers.ts';
import { askShards } from './replicas.ts';

export type GroupsDeps = {
  readonly clickhouse: ClickHouse;
  /** The reader's segments from this one on, in order. */
  waitingFrom(segment: SealedSegment): readonly SealedSegment[];
  sweepMarkers(): Promise<Markers>;
  /** Resolves when the note is durable. */
  markGroup(group: Group): Promise<void>;
};

export class Groups {
  private readonly deps: GroupsDeps;
  private readonly tried = new WeakSet<SealedSegment>();
  private hasTaken = false;

  constructor(deps: GroupsDeps) {
    this.deps = deps;
  }

  /** The segments to insert together with the reader's next one, which is the first of them. */
  async take(first: SealedSegment): Promise<readonly SealedSegment[]> {
    // An earlier process may have tried the first segment that this process finds.
    if (!this.hasTaken && !first.isFresh) this.tried.add(first);
    this.hasTaken = true;
    const isUntried = !this.tried.has(first);
    const waiting = this.deps.waitingFrom(first);
    if (isUntried && waiting.length === 1) return waiting;
    const markers = await this.deps.sweepMarkers();
    const known = groupOf(markers, first.sequence);
    if (known !== undefined) return this.takeAgain(known, waiting);
    if (!isUntried || first.id === undefined) return [first];
    const segments = await this.absent(this.runOf(waiting, markers));
    const last = segments.at(-1)!;
    if (last !== first)
      await this.deps.markGroup({ first: first.sequence, last: last.sequence, id: first.id });
    return segments;
  }

  /** Whether no process can have sent any of these segments. Marks them as sent. */
  begin(segments: readonly SealedSegment[]): boolean {
    const isFirstTry = segments.every(segment => !this.tried.has(segment));
    for (const segment of segments) this.tried.add(segment);
    return isFirstTry && (segments.length > 1 || segments[0]?.isFresh === true);
  }

  private async takeAgain(
    known: Group,
    waiting: readonly SealedSegment[],
  ): Promise<readonly SealedSegment[]> {
    // The process that wrote the note may have ended before the note was durable.
    await this.deps.markGroup(known);
    const segments = waiting.filter(({ sequence }) => isWithin(sequence, known));
    for (const segment of segments) this.tried.add(segment);
    return segments;
  }

  /** The first segment and the following ones that may join it, as many as fit into a block. */
  private runOf(waiting: readonly SealedSegment[], markers: Markers): readonly SealedSegment[] {
    let bytes = 0;
    const end = waiting.findIndex((segment, index) => {
      bytes += segment.bytes;
      if (index === GROUP_SEGMENTS_MAX || bytes > SEGMENT_BYTES_MAX) return true;
      return !this.mayBeGrouped(segment, markers);
    });
    return end === -1 ? waiting : waiting.slice(0, Math.max(1, end));
  }

  private mayBeGrouped(segment: SealedSegment, markers: Markers): boolean {
    const { sequence, id } = segment;
    const isNoted = groupOf(markers, sequence) !== undefined || isInParts(markers, sequence);
    return id !== undefined && !isNoted && !this.tried.has(segment);
  }

  /** The first segments of the run without rows in the warehouse; always includes the first one. */
  private async absent(run: readonly SealedSegment[]): Promise<readonly SealedSegment[]> {
    const inherited = run.filter(({ isFresh }) => !isFresh);
    if (run.length === 1 || inherited.length === 0) return run;
    const present = await this.presentAmong(inherited.map(({ id }) => id!));
    for (const segment of inherited) if (present.has(segment.id!)) this.tried.add(segment);
    const end = run.findIndex(segment => this.tried.has(segment));
    return end === -1 ? run : run.slice(0, Math.max(1, end));
  }

  private async presentAmong(segmentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = segmentIds.map(id => `'${id}'`).join();
    const present = new Set<string>();
    for (const { name, destination } of ALL_TABLES) {
      if (destination !== 'warehouse') continue;
      const answers = await askShards(
        this.deps.clickhouse,
        `SELECT DISTINCT batch_id FROM ${name} WHERE batch_id IN (${ids}) FORMAT TSV`,
        { timeoutMs: QUESTION_TIMEOUT_MS },
      );
      for (const id of answers.join('\n').split('\n')) if (id !== '') present.add(id);
    }
    return present;
  }
}
