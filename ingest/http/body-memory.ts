// The memory of bodies, used again: anew for each of thousands of requests a second, it would be most
// of what the garbage collector has to look after. Only bodies of endpoints that say so come back
// (`Endpoint.returnsBody`); whoever keeps a body beyond its request has it for good.

import { BODY_BYTES_MAX } from '../limits.ts';

/** Sizes are powers of two from here on, so that one request's memory fits the next. */
const LEAST_BYTES = 4 * 1024;
/** Of a thread; what a burst leaves beyond it goes. */
const IDLE_BYTES_MAX = 16 * 1024 * 1024;

export class BodyMemory {
  private readonly idle = new Map<number, Buffer<ArrayBuffer>[]>();
  private idleBytes = 0;

  /** Room for this many bytes or more; what is in it is left over from others. */
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
