import { RowWriter } from '../../schema/rows/row-writer.ts';

/** Buffers that grew beyond this by a burst are not kept. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** One is written while the next is filled. */
const KEPT_MAX = 2;

/** Buffers of group commits, used again and again. */
export class BufferPool {
  private readonly idle: RowWriter[] = [];

  take(): RowWriter {
    return this.idle.pop() ?? new RowWriter();
  }

  giveBack(writer: RowWriter): void {
    writer.truncate(0);
    if (writer.capacity <= KEPT_BYTES_MAX && this.idle.length < KEPT_MAX) this.idle.push(writer);
  }
}
