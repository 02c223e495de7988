// Sends raw requests: any method, any headers, any bytes. Nothing is added or checked.

import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parses the body; throws if it is not JSON. */
  json(): Record<string, unknown>;
};

export type Request = {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Sent in chunks, without Content-Length, instead of `body`. */
  readonly chunks?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly agent?: Agent;
  readonly timeoutMs?: number;
};

const ANSWER_TIMEOUT_MS = 120_000;

export function send(url: string, options: Request = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body, chunks, agent } = options;
  const timeoutMs = options.timeoutMs ?? ANSWER_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: body === undefined ? headers : { 'content-length': byteLength(body), ...headers },
      // A new connection per request: the server could close an idle one at the moment it is
      // reused.
      agent: agent ?? false,
    });
    let answered = false;
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer: ${url}`)));
    outgoing.on('error', error => {
      // A server may respond and close the connection while we still send. Then the response
      // counts.
      if (!answered) reject(error);
    });
    outgoing.on('response', incoming => {
      answered = true;
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const json = () => JSON.parse(text) as Record<string, unknown>;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
      });
    });
    if (chunks === undefined) outgoing.end(body);
    else void writeChunks(chunks).catch(reject);

    async function writeChunks(source: NonNullable<Request['chunks']>): Promise<void> {
      for await (const chunk of source) {
        if (outgoing.destroyed || answered) break;
        if (!outgoing.write(chunk)) await drainedOrClosed();
      }
      outgoing.end();
    }

    function drainedOrClosed(): Promise<void> {
      return new Promise(done => {
        for (const event of ['drain', 'close', 'response']) outgoing.once(event, () => done());
      });
    }
  });
}

/** Keeps at most `connectionsMax` connections open between requests. */
export function keepAlive(connectionsMax: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connectionsMax });
}

const COMPRESS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const satisfies Record<string, (bytes: Buffer) => Buffer>;

export type Encoding = keyof typeof COMPRESS;
export const ENCODINGS = Object.keys(COMPRESS) as Encoding[];

export function compress(encoding: Encoding, body: string | Uint8Array): Buffer {
  return COMPRESS[encoding](Buffer.from(body));
}

/** The format that some clients send as "deflate": without the zlib wrapper. */
export function compressRawDeflate(body: string): Buffer {
  return deflateRawSync(body);
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}
