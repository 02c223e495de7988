// The warehouse's reader of one log: each sealed segment becomes blocks, each block goes in
// exactly once. It also looks after segments that are done but still kept: after a restart, or
// when ClickHouse has been away, they are asked about again, since a server that lost power may
// have lost parts it had confirmed.

import type { SegmentContents } from '../spool/read-segment.ts';
import type { SealedSegment } from '../spool/segment.ts';
import { type Block, cutBlocks } from './block.ts';
import { type Freshness, type InsertBlockDeps, insertBlock } from './insert-block.ts';
import { parkedBlock } from './park-row.ts';
import { isRefusalOfData } from './refusal.ts';

export type InserterDeps = Omit<InsertBlockDeps, 'park' | 'beforeParts'> & {
  isInParts(segment: SealedSegment): Promise<boolean>;
  markInParts(segment: SealedSegment): Promise<void>;
  read(segment: SealedSegment): Promise<SegmentContents | undefined>;
  retainedSegments(): readonly SealedSegment[];
  /** A row that even rejected_events does not take. */
  quarantine(block: Block): Promise<void>;
  onParked(block: Block): void;
  onVerificationFailure(error: unknown): void;
};

export class Inserter {
  private readonly deps: InserterDeps;
  private readonly tried = new WeakSet<SealedSegment>();
  private hasLostTouch = true;
  private verifying: Promise<void> | undefined;

  constructor(deps: InserterDeps) {
    this.deps = deps;
  }

  /** True when every row of the segment has its place; false when told to stop before. */
  async insertSegment(segment: SealedSegment): Promise<boolean> {
    const isFirstTry = segment.isFresh && !this.tried.has(segment);
    this.tried.add(segment);
    return this.insertContents(segment, isFirstTry ? 'never tried' : await this.freshness(segment));
  }

  /** Resolves when no verification of kept segments is under way. */
  async settled(): Promise<void> {
    await this.verifying;
  }

  private async freshness(segment: SealedSegment): Promise<Freshness> {
    return (await this.deps.isInParts(segment)) ? 'maybe in parts' : 'maybe tried';
  }

  private async insertContents(segment: SealedSegment, freshness: Freshness): Promise<boolean> {
    const contents = await this.deps.read(segment);
    if (contents === undefined) return true;
    for (const block of cutBlocks(contents)) {
      if (!(await insertBlock(this.blockDeps(segment), block, freshness))) return false;
      this.regainTouch();
    }
    return true;
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
    const parked = parkedBlock(refused, reason, deps.clock.nowMs());
    const park = () => deps.quarantine(refused);
    const isKept = await insertBlock({ ...this.blockDeps(segment), park }, parked, 'maybe tried');
    if (!isKept) throw new Error('Told to stop before a refused row was kept.');
    deps.onParked(refused);
  }

  /** The first success after a start or a failure: what was confirmed before may be gone. */
  private regainTouch(): void {
    if (!this.hasLostTouch || this.verifying !== undefined) return;
    this.hasLostTouch = false;
    this.verifying = this.verifyRetained().finally(() => {
      this.verifying = undefined;
    });
  }

  private async verifyRetained(): Promise<void> {
    for (const segment of this.deps.retainedSegments()) {
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
