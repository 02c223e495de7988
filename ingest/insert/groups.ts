// Decides which waiting segments go to the warehouse together. One that waits alone goes alone, and
// nothing is noted. Of several, the run of neighbours that fits into a block becomes a group, which is
// noted before its first attempt. "Some rows of a block are there, so all are" would lose what joined
// a segment that had been tried without it, so only segments that were never tried form a group:
// readers go in order, and of what an earlier process left only the first may have been tried; that
// one goes alone. A cursor that was lost would belie this, so the warehouse is asked, too.

import { ALL_TABLES } from '../../schema/rows/all-tables.ts';
import { GROUP_SEGMENTS_MAX, QUESTION_TIMEOUT_MS, SEGMENT_BYTES_MAX } from '../limits.ts';
import type { SealedSegment } from '../spool/segment.ts';
import type { ClickHouse } from './clickhouse.ts';
import { type Group, groupOf, isInParts, isWithin, type Markers } from './markers.ts';

export type GroupsDeps = {
  readonly clickhouse: ClickHouse;
  /** The reader's segments from this one on, in order. */
  waitingFrom(segment: SealedSegment): readonly SealedSegment[];
  sweepMarkers(): Promise<Markers>;
  /** Resolves when it is durable. */
  markGroup(group: Group): Promise<void>;
};

export class Groups {
  private readonly deps: GroupsDeps;
  private readonly tried = new WeakSet<SealedSegment>();
  private hasTaken = false;

  constructor(deps: GroupsDeps) {
    this.deps = deps;
  }

  /** The segments to go in with the reader's next one, which is the first of them. */
  async take(first: SealedSegment): Promise<readonly SealedSegment[]> {
    // An earlier process may have tried the first that this one finds.
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

  /** True when nobody can have sent anything of them; from now on somebody can. */
  begin(segments: readonly SealedSegment[]): boolean {
    const isFirstTry = segments.every(segment => !this.tried.has(segment));
    for (const segment of segments) this.tried.add(segment);
    return isFirstTry && (segments.length > 1 || segments[0]?.isFresh === true);
  }

  private async takeAgain(
    known: Group,
    waiting: readonly SealedSegment[],
  ): Promise<readonly SealedSegment[]> {
    // Whoever noted it may not have lived to see it durable.
    await this.deps.markGroup(known);
    const segments = waiting.filter(({ sequence }) => isWithin(sequence, known));
    for (const segment of segments) this.tried.add(segment);
    return segments;
  }

  /** The first of them and those behind it that may join it, as many as fit into a block. */
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

  /** The first ones of the run of which the warehouse has nothing; in any case the first. */
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
      const answer = await this.deps.clickhouse.execute(
        `SELECT DISTINCT batch_id FROM ${name} WHERE batch_id IN (${ids}) FORMAT TSV`,
        { timeoutMs: QUESTION_TIMEOUT_MS },
      );
      for (const id of answer.split('\n')) if (id !== '') present.add(id);
    }
    return present;
  }
}
