// The part of ClickHouse's HTTP interface that the inserter needs: statements whose body has a
// known length (never a stream of unknown length, of which a server might store a part), and small
// queries. https://clickhouse.com/docs/interfaces/http

import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { nodeHttp } from '../http/node-http.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';

/** An exception returned by ClickHouse. */
export class ClickHouseException extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type ClickHouse = {
  /**
   * Runs a statement with `body` as its data. Rejects with ClickHouseException or a network error.
   */
  execute(sql: string, options?: StatementOptions): Promise<string>;
  close(): void;
  /** The shards of a cluster, in the order of their numbers; undefined if there is one shard. */
  readonly shards?: readonly ClickHouse[];
  /** The replicas of a shard; undefined if there is one. */
  readonly replicas?: readonly ClickHouse[];
  /** How many replicas must have a block before it is stored; 1 if undefined. */
  readonly quorum?: number;
};

/** Nothing of the statement was sent. */
export class ConnectTimeout extends Error {}

export type StatementOptions = {
  readonly body?: StatementBody;
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly queryId?: string;
  readonly timeoutMs?: number;
};

export type StatementBody = {
  readonly bytes: number;
  /**
   * The data has `length` bytes. A piece is valid until the next one is requested. Each call starts
   * from the beginning.
   */
  readonly pieces: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

/** The part of an error text that is kept for logs. */
const ERROR_TEXT_MAX = 2_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 15_000;

/** One server. `address` may contain user, password and, as its path, the database. */
export function connectClickHouse(address: string): ClickHouse {
  const url = new URL(address);
  const isTls = url.protocol === 'https:';
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new nodeHttp.Agent({ keepAlive: true });
  const send = isTls ? tlsRequest : nodeHttp.request;
  const headers: Record<string, string> = {};
  if (url.username !== '') headers['X-ClickHouse-User'] = decodeURIComponent(url.username);
  if (url.password !== '') headers['X-ClickHouse-Key'] = decodeURIComponent(url.password);
  const database = decodeURIComponent(url.pathname.slice(1));

  function execute(sql: string, options: StatementOptions = {}): Promise<string> {
    const { body = { bytes: Buffer.byteLength(sql), pieces: () => [Buffer.from(sql)] } } = options;
    const parameters = new URLSearchParams();
    // Without data the statement is sent as the body, because a statement may exceed the maximum
    // length of a URL.
    if (options.body !== undefined) parameters.set('query', sql);
    if (database !== '') parameters.set('database', database);
    if (options.queryId !== undefined) parameters.set('query_id', options.queryId);
    for (const [name, value] of Object.entries(options.settings ?? {}))
      parameters.set(name, String(value));
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          agent,
          protocol: url.protocol,
          hostname: url.hostname.replace(/^\[|\]$/g, ''),
          port: url.port,
          method: 'POST',
          path: `/?${parameters.toString()}`,
          headers: { ...headers, 'Content-Length': body.bytes },
          signal: AbortSignal.timeout(timeoutMs),
        },
        response => void readAnswer(response).then(resolve, reject).finally(forget),
      );
      // ClickHouse responded before the full body was sent; discard the rest.
      const forget = () => {
        if (!outgoing.writableFinished) outgoing.destroy();
      };
      outgoing.on('error', reject);
      outgoing.on('socket', destroyUnlessConnected);
      sendBody(outgoing, body).catch((error: Error) => {
        reject(error);
        outgoing.destroy();
      });
    });
  }

  return { execute, close: () => agent.destroy() };
}

/** Detects a network that drops packets before the statement's own timeout. */
function destroyUnlessConnected(socket: Socket): void {
  if (!socket.connecting) return;
  const timer = setTimeout(
    () => socket.destroy(new ConnectTimeout('The connection to ClickHouse timed out.')),
    CONNECT_TIMEOUT_MS,
  );
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Rejects if the body cannot be read. The request reports its own errors. */
async function sendBody(outgoing: ClientRequest, body: StatementBody): Promise<void> {
  for await (const piece of body.pieces()) {
    if (!(await isSent(outgoing, piece))) return;
  }
  outgoing.end();
}

/** Resolves once the piece may be reused; to false if the request accepts no more data. */
function isSent(outgoing: ClientRequest, piece: Uint8Array): Promise<boolean> {
  return new Promise(resolve => {
    // The callback is never called if the connection was not open yet.
    const end = () => resolve(false);
    outgoing.once('close', end);
    outgoing.write(piece, error => {
      outgoing.off('close', end);
      resolve(error === undefined || error === null);
    });
  });
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= ANSWER_BYTES_MAX) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const exceptionCode = response.headers['x-clickhouse-exception-code'];
  if (response.statusCode === 200 && exceptionCode === undefined) return text;
  const code = Number(exceptionCode ?? /^Code: (\d+)\./.exec(text)?.[1] ?? 0);
  const status = response.statusCode ?? 0;
  throw new ClickHouseException(code, `HTTP ${status}: ${text.slice(0, ERROR_TEXT_MAX).trim()}`);
}
