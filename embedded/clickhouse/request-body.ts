// The decompressed body of a request, piece by piece. A truncated body makes the read fail, so a
// body that was read to its end is complete.

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { decompressor } from './content-encoding.ts';
import { Exception, exception } from './exception.ts';

/** Yields non-empty chunks. Throws an Exception for a body that cannot be read to its end. */
export async function* requestBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of decompressed(request) as AsyncIterable<Buffer>)
      if (chunk.length > 0) yield chunk;
  } catch (error) {
    throw error instanceof Exception ? error : unreadable(request, error);
  }
  if (!request.complete) throw cutOff();
}

function decompressed(request: IncomingMessage): AsyncIterable<unknown> {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return request;
  const decompressing = decompressor(encoding);
  if (decompressing === undefined)
    throw exception('UNKNOWN_COMPRESSION_METHOD', `Unknown Content-Encoding ${encoding}`);
  // The callback receives the error that also ends the read of the result.
  return pipeline(request, decompressing, () => undefined);
}

function unreadable(request: IncomingMessage, error: unknown): Exception {
  if (request.destroyed && !request.complete) return cutOff();
  const reason = error instanceof Error ? error.message : String(error);
  return exception('INCORRECT_DATA', `The body cannot be decompressed: ${reason}`);
}

function cutOff(): Exception {
  return exception('UNEXPECTED_END_OF_FILE', 'The body ended before it was complete');
}
