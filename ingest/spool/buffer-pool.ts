// Reuses the buffers of group commits. New buffers for each group would cause most of the kernel's
// page clearing and of the garbage collector's work. A group's bytes are in pieces of one size,
// regardless of how many connections wait for it, so that any piece fits the next group.

import { RowWriter } from '../../schema/rows/row-writer.ts';

/** Small compared with what many connections send at once, large compared with a batch. */
const PIECE_BYTES = 1024 * 1024;
/** A piece with less free space accepts no further batch, because it would have to grow. */
const ROOM_BYTES_MIN = 256 * 1024;
/** A large batch makes its piece grow. Such a piece is not reused. */
const KEPT_BYTES_MAX = 2 * PIECE_BYTES;
/** Buffers that were idle for this long are released. */
const UNUSED_MS_MAX = 2_000;

export class BufferPool {
  private readonly idle: RowWriter[] = [];
  /** The number of buffers that have been idle since `sinceMs`. */
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
