// The base address: forwards every request to the program that serves its path, byte for byte. In
// production any reverse proxy does this.

import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ROOT_PATHS as COMPATIBLE_ROOTS } from '../ingest/compatible/paths.ts';
import { corsHeaders, preflightReply } from '../ingest/http/cors.ts';
import { readBuildInfo } from '../schema/environment/build-info.ts';
import { PROBLEMS, type ProblemCode } from '../schema/values/problem.ts';
import type { DemoTokens } from './demo-tokens.ts';
import { endToEndHeaders, requestHeaders } from './forwarded-headers.ts';
import { isOwnBrowser, type OfferTokens, TOKENS_PATH } from './offer-tokens.ts';
import { portFault } from './ports.ts';
import { readiness, type Upstreams } from './readiness.ts';

export type FrontOptions = FrontAddress & Served;

export type FrontAddress = {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
};

export type Served = {
  readonly upstreams: Upstreams;
  /** Undefined without a demo. */
  readonly offerTokens?: OfferTokens | undefined;
};

export type Front = {
  readonly port: number;
  /** Accepts no new requests, and gives requests in progress a moment to complete. */
  stop(): Promise<void>;
};

/** More than any development machine needs, less than its open files. */
const CONNECTIONS_MAX = 8_000;
/** The time limits for a client to send its headers, and its whole request. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
/** A program that is silent for this long counts as away. */
const UPSTREAM_SILENCE_MS = 60_000;
/**
 * Shorter than the 10 s after which ingest closes an idle connection, so that no request is sent on
 * a connection that is being closed.
 */
const UPSTREAM_IDLE_MS = 5_000;
const STOP_MS = 3_000;
const RETRY_AFTER_SECONDS = 1;

export type OpenFront = Front & {
  /** Until then, 502 is all that it answers. */
  serve(served: Served): void;
};

export async function startFront(options: FrontOptions): Promise<Front> {
  const front = await openFront(options);
  front.serve(options);
  return front;
}

/** Its port is known, and kept, before there is anything to forward to. */
export async function openFront(address: FrontAddress): Promise<OpenFront> {
  let served: Served | undefined;
  const agent = new Agent({ keepAlive: true, timeout: UPSTREAM_IDLE_MS });
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (incoming, response) =>
      served === undefined
        ? sendAway(incoming, response)
        : handle(incoming, response, served, agent),
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', answerClientError);
  const port = await listen(server, address.host, address.port);
  return {
    port,
    serve(what) {
      served = what;
    },
    async stop() {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

/** Node.js would respond to an unreadable request without a body. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { code } = error;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = CLIENT_ERROR_STATUS.get(code ?? '') ?? 400;
  const detail = `The request could not be read: ${STATUS_CODES[status]?.toLowerCase()}.`;
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const CLIENT_ERROR_STATUS = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

const BUILD = readBuildInfo(process.env);

function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  { upstreams, offerTokens }: Served,
  agent: Agent,
): void {
  // Without listeners, a client that disconnects would end this process.
  incoming.on('error', () => response.destroy());
  response.on('error', () => incoming.destroy());
  const path = pathOf(incoming);
  const upstream = isForIngest(path) ? upstreams.ingest : upstreams.api;
  if (path === '/healthz') {
    sendJson(response, 200, { status: 'ok', ...BUILD });
  } else if (path === '/readyz') {
    void readiness(upstreams).then(({ isReady, body }) =>
      sendJson(response, isReady ? 200 : 503, body),
    );
  } else if (path === '/metrics') {
    // For Prometheus, which scrapes each program at its own address.
    sendProblem(response, 'NOT_FOUND');
  } else if (path === TOKENS_PATH) {
    void offer(incoming, offerTokens).then(
      tokens => (tokens ? sendJson(response, 200, tokens) : sendProblem(response, 'NOT_FOUND')),
      () => sendProblem(response, 'INTERNAL_SERVER_ERROR'),
    );
  } else {
    forward(incoming, response, upstream, agent);
  }
}

async function offer(
  incoming: IncomingMessage,
  offerTokens: OfferTokens | undefined,
): Promise<DemoTokens | undefined> {
  return isOwnBrowser(incoming) ? offerTokens?.() : undefined;
}

function pathOf(incoming: IncomingMessage): string {
  return (incoming.url ?? '').split('?', 1)[0] ?? '';
}

function isForIngest(path: string): boolean {
  return (
    path.startsWith('/v1/') ||
    path.startsWith('/api/v1/in_app/') ||
    path === '/sdk.js' ||
    path.startsWith('/sdk/') ||
    COMPATIBLE_ROOTS.test(path)
  );
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  upstream: string,
  agent: Agent,
): void {
  const { hostname, port } = new URL(upstream);
  const { method, url: path } = incoming;
  const headers = requestHeaders(incoming, isForIngest(pathOf(incoming)));
  const outgoing = request({ agent, hostname, port, method, path, headers });
  outgoing.setTimeout(UPSTREAM_SILENCE_MS, () => outgoing.destroy(new Error('silent')));
  let answer: IncomingMessage | undefined;
  outgoing.on('response', received => {
    answer = received;
    response.sendDate = false;
    response.writeHead(
      received.statusCode ?? 502,
      received.statusMessage,
      endToEndHeaders(received.rawHeaders, received.headers.connection),
    );
    received.on('error', () => response.destroy());
    received.pipe(response);
  });
  outgoing.on('error', () => {
    if (answer === undefined) sendAway(incoming, response);
    // The response can be complete before the request is, for example a 413.
    else if (!answer.complete) response.destroy();
  });
  outgoing.on('close', () => {
    // The unread rest is read and discarded, so that the connection can be reused.
    incoming.unpipe(outgoing);
    incoming.resume();
  });
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  incoming.pipe(outgoing);
}

/**
 * A page of another origin may read the response, including Retry-After, on paths to which SDKs
 * send from pages.
 */
function sendAway(incoming: IncomingMessage, response: ServerResponse): void {
  const { origin, 'access-control-request-method': asked } = incoming.headers;
  const requestedHeaders = incoming.headers['access-control-request-headers'] ?? '';
  if (origin !== undefined && isForIngest(pathOf(incoming))) {
    const isPreflight = incoming.method === 'OPTIONS' && asked !== undefined;
    const headers = isPreflight
      ? preflightReply(undefined, { origin, requestedHeaders }, { methods: [asked] }).headers
      : corsHeaders(origin);
    for (const [name, value] of headers) response.setHeader(name, value);
    if (isPreflight) {
      response.writeHead(204).end();
      return;
    }
  }
  sendProblem(response, 'UPSTREAM_UNREACHABLE');
}

function sendProblem(response: ServerResponse, code: ProblemCode): void {
  const { status, title } = PROBLEMS[code];
  if (status === 502) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  sendJson(response, status, { detail: title, code });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(portFault(error, port, host, 'PORT')));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
