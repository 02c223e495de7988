// An HTTP response. Its beginning is held back, so that an early error gets its own status. A later
// error is written as ClickHouse does since 25.11, between markers with a random tag from the
// headers, and the response is left incomplete, so that no client takes it for a complete one.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type ContentEncoding, compressor } from './content-encoding.ts';
import { type Exception, exceptionText, statusOf } from './exception.ts';
import { contentType } from './formats.ts';
import { BROKEN_ANSWER_LINGER_MS } from './limits.ts';
import { type BlockMethod, toBlock } from './native-blocks/blocks.ts';
import type { Rewriting } from './native-format/revision.ts';

export type Answer = {
  /**
   * Resolves when the client has received enough to continue. Rejects when the client has
   * disconnected.
   */
  write(chunk: Uint8Array): Promise<void>;
  end(summary: Summary): Promise<void>;
  fail(problem: Exception): Promise<void>;
};

export type AnswerOptions = {
  readonly format: string;
  readonly encoding: ContentEncoding | undefined;
  /** Sent in ClickHouse's own compressed blocks; errors are not. */
  readonly blocks: BlockMethod | undefined;
  /** From the engine's form of the format to the client's. */
  readonly rewriting: Rewriting | undefined;
  readonly heldBytesMax: number;
  readonly version: string;
};

export type Summary = {
  /** Counts are omitted if the engine does not return them, as for INSERT … SELECT. */
  readonly rowsRead?: number;
  readonly bytesRead?: number;
  readonly rowsWritten?: number;
  readonly bytesWritten?: number;
  /** The number of rows of a result; the JDBC driver reads no rows if it is missing. */
  readonly resultRows?: number;
  readonly resultBytes?: number;
  readonly elapsedSeconds: number;
};

const MARKER = '__exception__';

export function createAnswer(response: ServerResponse, options: AnswerOptions): Answer {
  const tag = randomBytes(8).toString('hex');
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let body: Transform | ServerResponse | undefined;

  function start(): Transform | ServerResponse {
    response.setHeader('Content-Type', contentType(options.format));
    response.setHeader('X-ClickHouse-Format', options.format);
    response.setHeader('X-ClickHouse-Exception-Tag', tag);
    const { encoding } = options;
    if (encoding === undefined) return response;
    response.setHeader('Content-Encoding', encoding);
    const compressing = compressor(encoding);
    compressing.pipe(response);
    response.once('close', () => compressing.destroy());
    return compressing;
  }

  function asSent(chunk: Buffer): Buffer[] {
    const pieces = options.rewriting?.push(chunk) ?? [chunk];
    const { blocks } = options;
    if (blocks === undefined || pieces.length === 0) return pieces;
    return [toBlock(Buffer.concat(pieces), blocks)];
  }

  async function release(): Promise<Transform | ServerResponse> {
    if (body === undefined) {
      body = start();
      for (const chunk of held.splice(0)) await send(body, chunk, response);
    }
    return body;
  }

  return {
    async write(chunk) {
      for (const piece of asSent(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))) {
        if (body === undefined && heldBytes + piece.length <= options.heldBytesMax) {
          heldBytes += piece.length;
          held.push(piece);
        } else {
          await send(await release(), piece, response);
        }
      }
    },
    async end(summary) {
      if (body === undefined) response.setHeader('X-ClickHouse-Summary', summaryText(summary));
      (await release()).end();
      if (!response.closed && !response.writableFinished) await once(response, 'close');
    },
    async fail(problem) {
      const text = exceptionText(problem, options.version);
      if (body === undefined) return refuse(response, problem, text);
      const message = Buffer.from(text);
      const head = Buffer.from(`\r\n${MARKER}\r\n${tag}\r\n`);
      const tail = Buffer.from(`${message.length} ${tag}\r\n${MARKER}\r\n`);
      await send(body, Buffer.concat([head, message, tail]), response);
      await flushed(body);
      // Gives the client time to read the error; a client that understands it closes the connection
      // itself.
      await Promise.race([once(response, 'close'), wait(BROKEN_ANSWER_LINGER_MS)]);
      response.socket?.destroySoon();
    },
  };
}

/** Compressors buffer bytes; here these bytes are the error. */
async function flushed(body: Transform | ServerResponse): Promise<void> {
  if (!('flush' in body) || typeof body.flush !== 'function') return;
  const compressor = body as Transform & { readonly flush: (done: () => void) => void };
  await new Promise<void>(resolve => {
    compressor.flush(resolve);
    compressor.once('close', resolve);
  });
}

/** Sends an error before any part of the response was sent. */
export function refuse(response: ServerResponse, problem: Exception, text: string): void {
  response.statusCode = statusOf(problem);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.setHeader('X-ClickHouse-Exception-Code', String(problem.code));
  response.end(text);
}

async function send(
  body: Transform | ServerResponse,
  chunk: Uint8Array,
  response: ServerResponse,
): Promise<void> {
  if (response.closed) throw new Error('the client disconnected');
  if (body.write(chunk)) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  try {
    await once(body, 'drain', { signal: gone.signal });
  } finally {
    response.off('close', onClose);
  }
}

/** Numbers as text, as in ClickHouse: they may exceed what a double holds exactly. */
function summaryText(summary: Summary): string {
  const { rowsRead, bytesRead, rowsWritten, bytesWritten, elapsedSeconds } = summary;
  const { resultRows = rowsWritten, resultBytes = bytesWritten } = summary;
  // JSON omits undefined values.
  return JSON.stringify({
    read_rows: rowsRead?.toString(),
    read_bytes: bytesRead?.toString(),
    written_rows: rowsWritten?.toString(),
    written_bytes: bytesWritten?.toString(),
    result_rows: resultRows?.toString(),
    result_bytes: resultBytes?.toString(),
    elapsed_ns: String(Math.round(elapsedSeconds * 1e9)),
  });
}
