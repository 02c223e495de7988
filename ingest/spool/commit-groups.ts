// The bytes and waiting requests of the group commits that are not on disk yet, in order.

import type { RowWriter } from '../../schema/rows/row-writer.ts';
import { BufferPool, hasRoom } from './buffer-pool.ts';
import type { OpenSegment } from './segment.ts';

type Waiter = { resolve(): void; reject(error: unknown): void };

export type CommitGroup = {
  readonly segment: OpenSegment;
  /** The bytes of the group, in order; no frame is split over two pieces. */
  readonly pieces: RowWriter[];
  readonly waiters: Waiter[];
  seals: boolean;
};

export class CommitGroups {
  private readonly groups: CommitGroup[] = [];
  private readonly buffers = new BufferPool();
  /** Bytes appended that are neither durable nor failed yet. */
  pendingBytes = 0;

  last(): CommitGroup | undefined {
    return this.groups.at(-1);
  }

  /** Where the next bytes of the segment are written. They belong to the last group. */
  writerFor(segment: OpenSegment): RowWriter {
    const { pieces } = this.groupOf(segment);
    const last = pieces.at(-1);
    if (last !== undefined && hasRoom(last)) return last;
    const piece = this.buffers.take();
    pieces.push(piece);
    return piece;
  }

  /** The first group, which then takes no more bytes. */
  shift(): CommitGroup | undefined {
    return this.groups.shift();
  }

  /** Precondition: the group is durable or has failed. */
  release({ pieces }: CommitGroup): void {
    for (const piece of pieces) {
      this.pendingBytes -= piece.length;
      this.buffers.giveBack(piece);
    }
  }

  /** Called by a timer. */
  trim(nowMs: number): void {
    this.buffers.trim(nowMs);
  }

  private groupOf(segment: OpenSegment): CommitGroup {
    const last = this.last();
    if (last !== undefined && last.segment === segment) return last;
    const group: CommitGroup = { segment, pieces: [], waiters: [], seals: false };
    this.groups.push(group);
    return group;
  }
}
