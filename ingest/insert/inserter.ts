// The warehouse's reader of one log: each group of sealed segments, mostly a single one, becomes
// blocks, each block goes in exactly once. It also looks after segments that are done but still kept:
// after a restart of either side, or when ClickHouse has been away, they are asked about again, in the
// groups they went in by, since a server that lost power may have lost parts it had confirmed.

import { SegmentReadFailure } from '../spool/read-payloads.ts';
import type { SealedSegment } from '../spool/segment.ts';
import type { SegmentReads } from '../spool/segment-reads.ts';
import { type Block, cutBlocks } from './block.ts';
import { Groups, type GroupsDeps } from './groups.ts';
import { type Freshness, type InsertBlockDeps, insertBlock } from './insert-block.ts';
import { groupOf, isInParts, type Markers } from './markers.ts';
import { parkedBlock } from './park-row.ts';
import { isRefusalOfData } from './refusal.ts';
import { Stopped } from './stopped.ts';

export type InserterDeps = Omit<InsertBlockDeps, 'park' | 'beforeParts'> & {
  readonly groups: GroupsDeps;
  readMarkers(): Promise<Markers>;
  markInParts(segment: SealedSegment): Promise<void>;
  readonly reads: Pick<SegmentReads, 'use'>;
  /** The cursor is behind them, and they are still on disk. */
  passedSegments(): readonly SealedSegment[];
  /** Rows of them went in: what the warehouse had not synced of them may be lost from now on. */
  keepAnew(group: readonly SealedSegment[]): void;
  /** A row that even rejected_events does not take. */
  quarantine(block: Block): Promise<void>;
  onParked(block: Block): void;
  onVerificationFailure(error: unknown): void;
};

export class Inserter {
  private readonly deps: InserterDeps;
  private readonly groups: Groups;
  /** What was confirmed before may be gone: true from the start, as the process is new. */
  private hasLostTouch = true;
  private isVerifying = false;
  /** Segments that the reader or the verification has in hand. No two of them may try a block at once:
   * each would find its rows missing, and each would send it under a token of its own. */
  private readonly inHand = new Map<SealedSegment['path'], Promise<unknown>>();
  /** How often that was noticed. */
  private losses = 0;
  /** Their rows are in, and the cursor may still be on the way. */
  private lastInserted: readonly SealedSegment[] = [];
  /** When each server behind the address was started, in seconds since 1970. */
  private readonly serverStarts = new Map<string, number>();

  constructor(deps: InserterDeps) {
    this.deps = deps;
    this.groups = new Groups(deps.groups);
  }

  /** False while what was confirmed earlier may be gone and has not been asked about again. */
  get hasVerifiedKept(): boolean {
    return !this.hasLostTouch && !this.isVerifying;
  }

  /** The segments that go in together with the reader's next one. */
  take(first: SealedSegment): Promise<readonly SealedSegment[]> {
    return this.groups.take(first);
  }

  /** True when every row of the group has its place; false when told to stop before. */
  async insertGroup(group: readonly SealedSegment[]): Promise<boolean> {
    let isFirstTry = this.groups.begin(group);
    for (;;) {
      const { losses } = this;
      const inserted = () => this.insertContents(group, isFirstTry);
      if (!(await this.alone(group, inserted))) return false;
      if (this.losses === losses) break;
      // What went in before the server was lost may be gone with it, and nobody else asks about it.
      isFirstTry = false;
    }
    this.lastInserted = group;
    return true;
  }

  /** Runs until told to stop: notices restarts and outages, and then verifies what is kept. */
  async watchKept(): Promise<void> {
    const { clock, signal } = this.deps;
    for (; !signal.aborted; await clock.sleep(WATCH_INTERVAL_MS, signal)) {
      if (this.deps.passedSegments().length === 0) continue;
      try {
        if (await this.hasRestarted()) this.hasLostTouch = true;
      } catch {
        // Away; each insert reports that better. What matters here is that it comes back.
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

  /** Runs the work once nobody else has any of these segments in hand. */
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

  private async insertContents(
    group: readonly SealedSegment[],
    isFirstTry: boolean,
  ): Promise<boolean> {
    const { id, freshness } = isFirstTry ? firstTry(group) : await this.furtherTry(group);
    return this.deps.reads.use(group, async contents => {
      for (const block of cutBlocks(contents, id)) {
        if (!(await insertBlock(this.blockDeps(group), block, freshness))) return false;
      }
      return true;
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
      park: (block, reason) => this.park(group, block, reason),
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

  private async park(
    group: readonly SealedSegment[],
    refused: Block,
    reason: string,
  ): Promise<void> {
    const { deps } = this;
    const parked = await parkedBlock(refused, reason, deps.clock.nowMs());
    let isParked = true;
    const park = async () => {
      isParked = false;
      await deps.quarantine(refused);
    };
    const isKept = await insertBlock({ ...this.blockDeps(group), park }, parked, 'maybe tried');
    if (!isKept) throw new Stopped('Told to stop before a refused row was kept.');
    if (isParked) deps.onParked(refused);
  }

  private async hasRestarted(): Promise<boolean> {
    const answer = await this.deps.clickhouse.execute(
      'SELECT hostName(), toUnixTimestamp(now()) - uptime() FORMAT TSV',
    );
    const [host = '', started] = answer.trim().split('\t');
    const known = this.serverStarts.get(host);
    this.serverStarts.set(host, Number(started));
    return known !== undefined && Math.abs(Number(started) - known) > CLOCK_GRAIN_SECONDS;
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

  /** False when told to stop before. */
  private async verify(group: readonly SealedSegment[]): Promise<boolean> {
    try {
      return await this.alone(group, () => this.insertContents(group, false));
    } catch (error) {
      // Swept away meanwhile: it was kept long enough.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) this.deps.onVerificationFailure(error);
      if (!(error instanceof SegmentReadFailure)) {
        // Not the segment's own: it is asked about again.
        this.hasLostTouch = true;
        return true;
      }
      const others = group.filter(({ path }) => path !== error.path);
      if (others.length === 0 || others.length === group.length) return true;
      return this.verify(others);
    }
  }
}

/** `id` is the group's; undefined for that of the first segment. */
type Try = { readonly id: string | undefined; readonly freshness: Freshness };

function firstTry([first]: readonly SealedSegment[]): Try {
  return { id: first?.id, freshness: 'never tried' };
}

/** Segments in ascending order, those together that went in together. */
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

/** Well within the time that segments are kept. */
const WATCH_INTERVAL_MS = 5_000;
/** Both clocks of the subtraction tick in whole seconds. */
const CLOCK_GRAIN_SECONDS = 2;
