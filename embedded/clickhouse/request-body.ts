// The decompressed body of a request, piece by piece. A truncated body makes the read fail, so a
// body that was read to its end is complete.

import type { IncomingMessage } from 'node:http';
import { decompressed } from './content-encoding.ts';
import { Exception, exception } from './exception.ts';
import { fromBlocks } from './native-blocks/blocks.ts';

/**
 * Yields non-empty chunks; `isInBlocks`: of ClickHouse's own compressed blocks. Throws an Exception for a body
 * that cannot be read to its end.
 */
export async function* requestBody(
  request: IncomingMessage,
  isInBlocks: boolean,
): AsyncGenerator<Buffer> {
  try {
    const content = contentOf(request);
    for await (const chunk of isInBlocks ? fromBlocks(content) : content)
      if (chunk.length > 0) yield chunk;
  } catch (error) {
    throw error instanceof Exception ? error : unreadable(request, error);
  }
  if (!request.complete) throw cutOff();
}

function contentOf(request: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return request;
  const content = decompressed(request, encoding);
  if (content === undefined)
    throw exception('UNKNOWN_COMPRESSION_METHOD', `Unknown Content-Encoding ${encoding}`);
  return content;
}

function unreadable(request: IncomingMessage, error: unknown): Exception {
  if (request.destroyed && !request.complete) return cutOff();
  const reason = error instanceof Error ? error.message : String(error);
  return exception('INCORRECT_DATA', `The body cannot be decompressed: ${reason}`);
}

function cutOff(): Exception {
  return exception('UNEXPECTED_END_OF_FILE', 'The body ended before it was complete');
}
