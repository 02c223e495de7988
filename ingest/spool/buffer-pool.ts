// Buffers of group commits, used again and again: made anew for each group, they would be most of what
// the kernel clears and the garbage collector looks after. However many connections wait for one
// commit, its bytes stand in pieces of one size, so that any piece fits the next group.

import { RowWriter } from '../../schema/rows/row-writer.ts';

/** Small beside what many connections send at once, large beside a batch. */
const PIECE_BYTES = 1024 * 1024;
/** A piece with less room than that takes no further batch: it would have to grow. */
const ROOM_BYTES_MIN = 256 * 1024;
/** A large batch makes its piece grow; such a one is not kept. */
const KEPT_BYTES_MAX = 2 * PIECE_BYTES;
/** What nobody has needed for so long goes. */
const UNUSED_MS_MAX = 2_000;

export class BufferPool {
  private readonly idle: RowWriter[] = [];
  /** How many were idle all the time since `sinceMs`. */
  private unused = 0;
  private sinceMs = 0;

  take(): RowWriter {
    const writer = this.idle.pop() ?? new RowWriter(PIECE_BYTES);
    this.unused = Math.min(this.unused, this.idle.length);
    return writer;
  }

  giveBack(writer: RowWriter): void {
    writer.truncate(0);
    if (writer.capacity <= KEPT_BYTES_MAX) this.idle.push(writer);
  }

  /** Called by a timer. */
  trim(nowMs: number): void {
    if (nowMs - this.sinceMs < UNUSED_MS_MAX) return;
    this.idle.splice(0, this.unused);
    this.unused = this.idle.length;
    this.sinceMs = nowMs;
  }
}

export function hasRoom({ length }: RowWriter): boolean {
  return length <= PIECE_BYTES - ROOM_BYTES_MIN;
}
