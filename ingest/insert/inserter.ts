// The warehouse's reader of one log: each sealed segment becomes blocks, each block goes in
// exactly once. It also looks after segments that are done but still kept: after a restart of
// either side, or when ClickHouse has been away, they are asked about again, since a server that
// lost power may have lost parts it had confirmed.

import type { SealedSegment } from '../spool/segment.ts';
import type { SegmentReads } from '../spool/segment-reads.ts';
import { type Block, cutBlocks } from './block.ts';
import { type Freshness, type InsertBlockDeps, insertBlock } from './insert-block.ts';
import { parkedBlock } from './park-row.ts';
import { isRefusalOfData } from './refusal.ts';
import { Stopped } from './stopped.ts';

export type InserterDeps = Omit<InsertBlockDeps, 'park' | 'beforeParts'> & {
  isInParts(segment: SealedSegment): Promise<boolean>;
  markInParts(segment: SealedSegment): Promise<void>;
  readonly reads: Pick<SegmentReads, 'use'>;
  /** The cursor is behind them, and they are still on disk. */
  passedSegments(): readonly SealedSegment[];
  /** A row that even rejected_events does not take. */
  quarantine(block: Block): Promise<void>;
  onParked(block: Block): void;
  onVerificationFailure(error: unknown): void;
};

export class Inserter {
  private readonly deps: InserterDeps;
  private readonly tried = new WeakSet<SealedSegment>();
  /** What was confirmed before may be gone: true from the start, as the process is new. */
  private hasLostTouch = true;
  private isVerifying = false;
  /** How often that was noticed. */
  private losses = 0;
  /** Its rows are in, and its cursor may still be on the way. */
  private lastInserted: SealedSegment | undefined;
  /** When each server behind the address was started, in seconds since 1970. */
  private readonly serverStarts = new Map<string, number>();

  constructor(deps: InserterDeps) {
    this.deps = deps;
  }

  /** False while what was confirmed earlier may be gone and has not been asked about again. */
  get hasVerifiedKept(): boolean {
    return !this.hasLostTouch && !this.isVerifying;
  }

  /** True when every row of the segment has its place; false when told to stop before. */
  async insertSegment(segment: SealedSegment): Promise<boolean> {
    const isFirstTry = segment.isFresh && !this.tried.has(segment);
    this.tried.add(segment);
    let freshness = isFirstTry ? 'never tried' : await this.freshness(segment);
    for (;;) {
      const { losses } = this;
      if (!(await this.insertContents(segment, freshness))) return false;
      if (this.losses === losses) break;
      // What went in before the server was lost may be gone with it, and nobody else asks about it.
      freshness = await this.freshness(segment);
    }
    this.lastInserted = segment;
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

  private async freshness(segment: SealedSegment): Promise<Freshness> {
    return (await this.deps.isInParts(segment)) ? 'maybe in parts' : 'maybe tried';
  }

  private async insertContents(segment: SealedSegment, freshness: Freshness): Promise<boolean> {
    return this.deps.reads.use(segment, async contents => {
      if (contents === undefined) return true;
      for (const block of cutBlocks(contents)) {
        if (!(await insertBlock(this.blockDeps(segment), block, freshness))) return false;
      }
      return true;
    });
  }

  private blockDeps(segment: SealedSegment): InsertBlockDeps {
    const { deps } = this;
    return {
      ...deps,
      beforeParts: () => deps.markInParts(segment),
      park: (block, reason) => this.park(segment, block, reason),
      onFailure: (block, error) => {
        if (!isRefusalOfData(error)) this.hasLostTouch = true;
        deps.onFailure(block, error);
      },
    };
  }

  private async park(segment: SealedSegment, refused: Block, reason: string): Promise<void> {
    const { deps } = this;
    const parked = await parkedBlock(refused, reason, deps.clock.nowMs());
    let isParked = true;
    const park = async () => {
      isParked = false;
      await deps.quarantine(refused);
    };
    const isKept = await insertBlock({ ...this.blockDeps(segment), park }, parked, 'maybe tried');
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
    const { lastInserted } = this;
    const kept = Array.from(this.deps.passedSegments());
    if (lastInserted !== undefined && kept.every(({ path }) => path !== lastInserted.path))
      kept.push(lastInserted);
    for (const segment of kept) {
      if (this.deps.signal.aborted) return;
      try {
        if (!(await this.insertContents(segment, await this.freshness(segment)))) return;
      } catch (error) {
        // Swept away meanwhile: it was kept long enough.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isGone) this.deps.onVerificationFailure(error);
      }
    }
  }
}

/** Well within the time that segments are kept. */
const WATCH_INTERVAL_MS = 5_000;
/** Both clocks of the subtraction tick in whole seconds. */
const CLOCK_GRAIN_SECONDS = 2;
