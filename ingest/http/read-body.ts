// Collects a request's body within the limit. uWebSockets.js takes each chunk back when its
// callback returns, so chunks are copied; a body that turns out too large is read on and thrown
// away for a while, so that the client sees the 413 instead of a broken connection.

import type { HttpResponse } from 'uWebSockets.js';
import { BODY_BYTES_MAX } from '../limits.ts';

export type BodyResult = { readonly bytes: Buffer } | 'too large' | 'far too large';

/** A body that comes in pieces gets this much room at first, and then so many times what has come. */
const FIRST_BYTES = 4 * 1024;
const GROWTH = 4;
/** Beyond this a client is no longer answered politely but cut off. */
export const DISCARD_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Calls `done` once; never when the request is aborted first. The bytes are in what `room` gave last:
 * memory of that size or more, instead of what it gave before.
 */
export function readBody(
  response: HttpResponse,
  contentLength: number,
  room: (bytes: number) => Buffer<ArrayBuffer>,
  done: (result: BodyResult) => void,
): void {
  // A length is only a claim: were it believed, a few senders who then send nothing would hold the
  // memory of all. So memory follows what has come.
  const bytesMax = contentLength > 0 ? Math.min(contentLength, BODY_BYTES_MAX) : BODY_BYTES_MAX;
  let bytes = NO_BYTES;
  let received = 0;
  let isDone = false;
  response.onData((chunk, isLast) => {
    if (isDone) return;
    const end = received + chunk.byteLength;
    if (end <= BODY_BYTES_MAX) {
      if (end > bytes.length) {
        const size = isLast ? end : Math.min(Math.max(end * GROWTH, FIRST_BYTES), bytesMax);
        const larger = room(Math.max(size, end));
        bytes.copy(larger, 0, 0, received);
        bytes = larger;
      }
      bytes.set(new Uint8Array(chunk), received);
    } else if (end > DISCARD_BYTES_MAX) {
      isDone = true;
      done('far too large');
      return;
    }
    received = end;
    if (!isLast) return;
    isDone = true;
    done(received <= BODY_BYTES_MAX ? { bytes: bytes.subarray(0, received) } : 'too large');
  });
}

const NO_BYTES = Buffer.alloc(0);
