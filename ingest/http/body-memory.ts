// Reuses the memory of request bodies. New memory for thousands of requests per second would be
// most of the garbage collector's work. Only bodies of endpoints with `Endpoint.returnsBody` are
// reused; other endpoints may keep the body after the request.

import { BODY_BYTES_MAX } from '../limits.ts';

/** Sizes are powers of two from this one on, so that the memory of one request fits the next. */
const LEAST_BYTES = 4 * 1024;
/** Per thread; memory beyond it is released after a burst. */
const IDLE_BYTES_MAX = 16 * 1024 * 1024;

export class BodyMemory {
  private readonly idle = new Map<number, Buffer<ArrayBuffer>[]>();
  private idleBytes = 0;

  /** Returns memory of this size or more. It contains data of earlier requests. */
  take(bytes: number): Buffer<ArrayBuffer> {
    const size = sizeFor(bytes);
    const known = this.idle.get(size)?.pop();
    if (known === undefined) return Buffer.allocUnsafeSlow(size);
    this.idleBytes -= size;
    return known;
  }

  giveBack(memory: Buffer<ArrayBuffer>): void {
    const size = memory.length;
    if (size !== sizeFor(size) || this.idleBytes + size > IDLE_BYTES_MAX) return;
    const known = this.idle.get(size);
    if (known === undefined) this.idle.set(size, [memory]);
    else known.push(memory);
    this.idleBytes += size;
  }
}

function sizeFor(bytes: number): number {
  let size = LEAST_BYTES;
  while (size < Math.min(bytes, BODY_BYTES_MAX)) size *= 2;
  return size;
}
