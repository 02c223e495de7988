// The server that the client connects to. It is a proxy in front of a real ingest, records every
// request, and injects faults. A request without a fault is forwarded, and the response of ingest
// is returned unchanged.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Fault, pass } from './faults.ts';
import { parseOrNothing, readDelivery } from './read-delivery.ts';
import type { Attempt, Ending } from './record.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** One request, as passed to a fault, which must end it. */
export type Exchange = {
  readonly attempt: Attempt;
  /** Sends the request to ingest, with another body if one is given. */
  forward(body?: string): Promise<Answer>;
  answer(answer: Answer): void;
  /** Sends the head and a part of the body, then resets the connection. */
  answerInPart(answer: Answer): void;
  /** Resets the connection. */
  cut(): void;
  /** Resolves when the client has closed the connection. */
  readonly closed: Promise<void>;
};

export type Server = {
  readonly url: string;
  readonly attempts: readonly Attempt[];
  /** Chooses the fault of each request. */
  plan: (attempt: Attempt) => Fault;
  /** While closed, connections are refused, as if the machine were down. */
  setOpen(isOpen: boolean): Promise<void>;
  close(): Promise<void>;
};

/**
 * Outside of the range that systems use for outgoing connections, so that the port is still free
 * when the server opens again.
 */
const PORTS = { first: 20_000, count: 10_000 } as const;
const PORT_TRIES_MAX = 50;
/** Longer than a scenario, so that only faults close connections. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;
const BATCH_PATH = '/v1/batch';

export async function startServer(ingestUrl: string): Promise<Server> {
  const attempts: Attempt[] = [];
  const sockets = new Set<Socket>();
  const http = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    void receive(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  http.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listenAnywhere(http);

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await readAll(incoming);
    const attempt = await toAttempt(incoming, bytes, attempts.length);
    attempts.push(attempt);
    await server.plan(attempt)(toExchange(attempt, incoming, outgoing, ingestUrl));
  }

  const server: Server = {
    url: `http://127.0.0.1:${port}`,
    attempts,
    plan: () => pass,
    async setOpen(isOpen) {
      if (isOpen === http.listening) return;
      if (isOpen) {
        http.listen(port, '127.0.0.1');
        await once(http, 'listening');
      } else {
        for (const socket of sockets) socket.destroy();
        http.close();
        await once(http, 'close');
      }
    },
    close: () => server.setOpen(false),
  };
  return server;
}

async function listenAnywhere(http: ReturnType<typeof createServer>): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    try {
      http.listen(port, '127.0.0.1');
      await once(http, 'listening');
      return port;
    } catch (error) {
      if (tries === PORT_TRIES_MAX) throw error;
    }
  }
}

async function toAttempt(
  { method = '', url = '', headers }: IncomingMessage,
  bytes: Buffer,
  number: number,
): Promise<Attempt> {
  const atMs = Date.now();
  const path = url.split('?')[0]!;
  const isBatch = method === 'POST' && path === BATCH_PATH;
  return {
    number,
    atMs,
    method,
    path: url,
    headers,
    bytes,
    delivery: isBatch ? await readDelivery(bytes, headers['content-encoding'] ?? '') : undefined,
    json: isBatch ? undefined : (parseOrNothing(bytes) as Attempt['json']),
    ending: undefined,
    ingest: undefined,
  };
}

function toExchange(
  attempt: Attempt,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ingestUrl: string,
): Exchange {
  const end = (ending: Ending) => {
    attempt.ending ??= ending;
  };
  const closed = new Promise<void>(resolve => {
    outgoing.once('close', () => {
      end({ kind: 'cut', atMs: Date.now() });
      resolve();
    });
  });
  return {
    attempt,
    closed,
    async forward(body) {
      const answer = await forward(ingestUrl, incoming, body ?? attempt.bytes);
      attempt.ingest = { status: answer.status, body: answer.body };
      return answer;
    },
    answer({ status, headers, body }) {
      const retryAfter = headers['retry-after'];
      end({
        kind: 'answered',
        atMs: Date.now(),
        status,
        body,
        retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
      });
      if (!outgoing.destroyed) outgoing.writeHead(status, headers).end(body);
    },
    answerInPart({ status, headers, body }) {
      end({ kind: 'cut', atMs: Date.now() });
      if (outgoing.destroyed) return;
      outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
      outgoing.write(body.slice(0, body.length / 2), () => incoming.socket.destroySoon());
    },
    cut() {
      end({ kind: 'cut', atMs: Date.now() });
      incoming.socket.resetAndDestroy();
    },
  };
}

/** Headers that describe a connection, or that are not valid for the forwarded request. */
const NOT_FORWARDED = ['connection', 'transfer-encoding', 'content-length', 'keep-alive', 'date'];

async function forward(
  ingestUrl: string,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer | string,
): Promise<Answer> {
  const kept = without(headers, typeof body === 'string' ? ['content-encoding'] : []);
  const outgoing = request(`${ingestUrl}${url}`, { method, headers: kept, agent: false });
  outgoing.end(method === 'GET' ? undefined : body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    headers: without(answer.headers),
    body: (await readAll(answer)).toString('utf8'),
  };
}

function without(
  headers: IncomingMessage['headers'],
  others: readonly string[] = [],
): Record<string, string> {
  const left = Object.entries(headers).filter(
    ([name]) => !NOT_FORWARDED.includes(name) && !others.includes(name) && name !== 'host',
  );
  return Object.fromEntries(left.map(([name, value]) => [name, String(value)]));
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
