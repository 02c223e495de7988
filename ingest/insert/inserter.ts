// The warehouse reader of one log. Each group of sealed segments becomes blocks, and each block is
// inserted exactly once. It also verifies delivered segments that are retained: a server that lost
// power may have lost parts that it had confirmed, so after a restart of either side or an outage
// of ClickHouse it looks these segments up again, in the groups in which they were inserted.

import { SegmentReadFailure } from '../spool/read-payloads.ts';
import type { SealedSegment } from '../spool/segment.ts';
import type { SegmentReads } from '../spool/segment-reads.ts';
import { cutBlocks } from './block.ts';
import { Groups, type GroupsDeps } from './groups.ts';
import { type Freshness, type InsertBlockDeps, insertBlock } from './insert-block.ts';
import { groupOf, isInParts, type Markers } from './markers.ts';
import { type ParkDeps, parkRefused } from './park-row.ts';
import { isRefusalOfData } from './refusal.ts';
import { ServerStarts } from './server-starts.ts';
import { onShard, shardBlocks } from './shard-blocks.ts';

type InserterDeps = Omit<InsertBlockDeps, 'park' | 'beforeParts'> &
  ParkDeps & {
    readonly groups: GroupsDeps;
    readMarkers(): Promise<Markers>;
    markInParts(segment: SealedSegment): Promise<void>;
    readonly reads: Pick<SegmentReads, 'use'>;
    /** Segments below the cursor that are still on disk. */
    passedSegments(): readonly SealedSegment[];
    /**
     * Called after rows of these segments were inserted. ClickHouse may lose them until it has synced
     * them.
     */
    keepAnew(group: readonly SealedSegment[]): void;
    /** Called with the rows of a group once ClickHouse has all of them. */
    onDelivered(rows: number): void;
    onVerificationFailure(error: unknown): void;
  };

export class Inserter {
  private readonly deps: InserterDeps;
  private readonly groups: Groups;
  /** Whether confirmed rows may be lost. True at first, because the process is new. */
  private hasLostTouch = true;
  private isVerifying = false;
  /**
   * Segments that the reader or the verification is processing. The two must not try a block
   * concurrently: each would find its rows missing and send it under its own token.
   */
  private readonly inHand = new Map<SealedSegment['path'], Promise<unknown>>();
  /** How often a possible loss was detected. */
  private losses = 0;
  /** The last group. Its rows are inserted, and its cursor may not be saved yet. */
  private lastInserted: readonly SealedSegment[] = [];
  private readonly serverStarts: ServerStarts;

  constructor(deps: InserterDeps) {
    this.deps = deps;
    this.groups = new Groups(deps.groups);
    this.serverStarts = new ServerStarts(deps.clickhouse);
  }

  /** False while confirmed rows may be lost and have not been verified. */
  get hasVerifiedKept(): boolean {
    return !this.hasLostTouch && !this.isVerifying;
  }

  /** The segments to insert together with the reader's next one. */
  take(first: SealedSegment): Promise<readonly SealedSegment[]> {
    return this.groups.take(first);
  }

  /** Returns true when every row of the group is stored; false if the process stopped before. */
  async insertGroup(group: readonly SealedSegment[]): Promise<boolean> {
    let isFirstTry = this.groups.begin(group);
    for (;;) {
      const { losses } = this;
      const rows = await this.alone(group, () => this.insertContents(group, isFirstTry));
      if (rows === undefined) return false;
      this.deps.onDelivered(rows);
      if (this.losses === losses) break;
      // Rows inserted before the server was lost may be lost with it, and no other check covers
      // them.
      isFirstTry = false;
    }
    this.lastInserted = group;
    return true;
  }

  /**
   * Runs until the process stops: detects restarts and outages, and then verifies retained
   * segments.
   */
  async watchKept(): Promise<void> {
    const { clock, signal } = this.deps;
    for (; !signal.aborted; await clock.sleep(WATCH_INTERVAL_MS, signal)) {
      if (this.deps.passedSegments().length === 0) continue;
      try {
        if (await this.serverStarts.hasRestarted()) this.hasLostTouch = true;
      } catch {
        // ClickHouse is unavailable. Inserts report that; this loop only has to notice when it is
        // back.
        this.hasLostTouch = true;
        continue;
      }
      if (!this.hasLostTouch) continue;
      this.hasLostTouch = false;
      this.losses++;
      this.isVerifying = true;
      await this.verifyKept();
      this.isVerifying = false;
    }
  }

  /** Runs the work once no other call is processing any of these segments. */
  private async alone<T>(group: readonly SealedSegment[], work: () => Promise<T>): Promise<T> {
    for (;;) {
      const other = group.map(({ path }) => this.inHand.get(path)).find(Boolean);
      if (other === undefined) break;
      await other.catch(() => undefined);
    }
    const working = work();
    for (const { path } of group) this.inHand.set(path, working);
    try {
      return await working;
    } finally {
      for (const { path } of group) this.inHand.delete(path);
    }
  }

  /** Returns the number of rows; undefined if the process stopped before all were stored. */
  private async insertContents(
    group: readonly SealedSegment[],
    isFirstTry: boolean,
  ): Promise<number | undefined> {
    const { id, freshness } = isFirstTry ? firstTry(group) : await this.furtherTry(group);
    return this.deps.reads.use(group, async contents => {
      let rows = 0;
      const blocks = shardBlocks(this.blockDeps(group), cutBlocks(contents, id));
      for await (const { block, shardDeps } of blocks) {
        if (!(await insertBlock(shardDeps, block, freshness))) return undefined;
        rows += block.rows;
      }
      return rows;
    });
  }

  private async furtherTry([first]: readonly SealedSegment[]): Promise<Try> {
    const markers = await this.deps.readMarkers();
    const { sequence } = first!;
    const freshness = isInParts(markers, sequence) ? 'maybe in parts' : 'maybe tried';
    return { id: groupOf(markers, sequence)?.id, freshness };
  }

  private blockDeps(group: readonly SealedSegment[]): InsertBlockDeps {
    const { deps } = this;
    return {
      ...deps,
      beforeParts: () => deps.markInParts(group[0]!),
      park: (block, reason) =>
        parkRefused(onShard(this.blockDeps(group), block), deps, block, reason),
      onInserted: (block, ms) => {
        deps.keepAnew(group);
        deps.onInserted(block, ms);
      },
      onFailure: (block, error) => {
        if (!isRefusalOfData(error)) this.hasLostTouch = true;
        deps.onFailure(block, error);
      },
    };
  }

  private async verifyKept(): Promise<void> {
    const paths = new Set(this.deps.passedSegments().map(({ path }) => path));
    const kept = this.deps
      .passedSegments()
      .concat(this.lastInserted.filter(({ path }) => !paths.has(path)))
      .sort((a, b) => a.sequence - b.sequence);
    try {
      for (const group of groupsAmong(kept, await this.deps.readMarkers())) {
        if (this.deps.signal.aborted) return;
        if (!(await this.verify(group))) return;
      }
    } catch (error) {
      this.hasLostTouch = true;
      this.deps.onVerificationFailure(error);
    }
  }

  /** Returns false if the process stopped before. */
  private async verify(group: readonly SealedSegment[]): Promise<boolean> {
    try {
      const rows = await this.alone(group, () => this.insertContents(group, false));
      return rows !== undefined;
    } catch (error) {
      // The segment was removed in the meantime because its retention ended.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) this.deps.onVerificationFailure(error);
      if (!(error instanceof SegmentReadFailure)) {
        // The failure is not specific to the segment. It is verified again later.
        this.hasLostTouch = true;
        return true;
      }
      const others = group.filter(({ path }) => path !== error.path);
      if (others.length === 0 || others.length === group.length) return true;
      return this.verify(others);
    }
  }
}

/** `id` is the ID of the group; undefined for the ID of the first segment. */
type Try = { readonly id: string | undefined; readonly freshness: Freshness };

function firstTry([first]: readonly SealedSegment[]): Try {
  return { id: first?.id, freshness: 'never tried' };
}

/** Splits segments in ascending order into the groups in which they were inserted. */
function groupsAmong(segments: readonly SealedSegment[], markers: Markers): SealedSegment[][] {
  const groups: SealedSegment[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    if (segment.sequence <= last) {
      groups.at(-1)!.push(segment);
      continue;
    }
    groups.push([segment]);
    last = groupOf(markers, segment.sequence)?.last ?? segment.sequence;
  }
  return groups;
}

/** Well within the time for which segments are retained. */
const WATCH_INTERVAL_MS = 5_000;
