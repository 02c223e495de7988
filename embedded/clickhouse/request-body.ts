// The body of a request, decompressed, piece by piece. Whoever reads it to its end knows that it
// is whole: a body that was cut off makes the reading fail.

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { decompressor } from './content-encoding.ts';
import { Exception, exception } from './exception.ts';

/** Yields non-empty chunks. Throws an Exception for a body that can't be read to its end. */
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
  // The callback is for the error that also ends the reading of the result.
  return pipeline(request, decompressing, () => undefined);
}

function unreadable(request: IncomingMessage, error: unknown): Exception {
  if (request.destroyed && !request.complete) return cutOff();
  const reason = error instanceof Error ? error.message : String(error);
  return exception('INCORRECT_DATA', `The body does not decompress: ${reason}`);
}

function cutOff(): Exception {
  return exception('UNEXPECTED_END_OF_FILE', 'The body ended before it was complete');
}
