// Collects a request's body within the limit. uWebSockets.js reuses each chunk after its callback
// returns, so chunks are copied. A body over the limit is read and discarded up to a second limit,
// so that the client receives the 413 instead of a broken connection.

import type { HttpResponse } from 'uWebSockets.js';
import { BODY_BYTES_MAX } from '../limits.ts';

type BodyResult = { readonly bytes: Buffer } | 'too large' | 'far too large';

/** The initial memory of a chunked body; it then grows to this multiple of the received bytes. */
const FIRST_BYTES = 4 * 1024;
const GROWTH = 4;
/** Beyond this size the connection is closed without a response. */
export const DISCARD_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Calls `done` once, or never if the request is aborted first. The bytes are in the memory that
 * `room` returned last. Each call of `room` returns memory of at least that size, which replaces
 * the earlier memory.
 */
export function readBody(
  response: HttpResponse,
  contentLength: number,
  room: (bytes: number) => Buffer<ArrayBuffer>,
  done: (result: BodyResult) => void,
): void {
  // Content-Length is only a claim: if it were trusted, a few senders that then send nothing could
  // reserve all memory. So memory grows with the received bytes.
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
