// A proxy between ingest and ClickHouse with the faults of networks and load balancers: it loses
// responses, repeats or delays requests, and returns 500 after a success. It can also disable a
// protection (the deduplication, or the inserter's query for stored rows), to prove that a test
// depends on it.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Answered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Exchange = {
  readonly sql: string;
  /** The insert's deduplication token, even if it is not forwarded; empty for other statements. */
  readonly token: string;
  /**
   * Forwards the request; each call sends it again. Resolves with ClickHouse's complete response.
   */
  forward(): Promise<Answered>;
  /** Forwards half of the request, like a client that died while sending it. */
  forwardHalf(): Promise<void>;
  answer(answered: Answered): void;
  /** Closes the client's connection without a response. */
  cut(): void;
};

export type Handling = (exchange: Exchange) => Promise<void>;

export type FaultProxy = {
  readonly url: string;
  /** The fault for INSERTs. */
  onInsert: Handling;
  /** The fault for the inserter's query for the number of stored rows of a block. */
  onQuestion: Handling;
  /** The fault for the inserter's check whether a query with the block is still running. */
  onLook: Handling;
  /** Forwards inserts without their token, and so that ClickHouse deduplicates none by content. */
  withoutDeduplication: boolean;
  /** Closes new and open connections immediately. */
  refuseConnections(isRefusing: boolean): void;
  /** Resolves when all requests have ended, including those without a waiting client. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  let isRefusing = false;
  const server = createServer((incoming, outgoing) => {
    const work = (async () => {
      const exchange = await readExchange(proxy, target, incoming, {
        answer({ status, headers, body }) {
          if (!outgoing.destroyed) outgoing.writeHead(status, headers).end(body);
        },
        cut: () => void incoming.socket.destroy(),
      });
      await handlingOf(proxy, exchange.sql)(exchange);
    })()
      // If ClickHouse is unavailable, the proxy appears unavailable too.
      .catch(() => void incoming.socket.destroy())
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    if (isRefusing) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onInsert: pass,
    onQuestion: pass,
    onLook: pass,
    withoutDeduplication: false,
    refuseConnections(refuse) {
      isRefusing = refuse;
      if (refuse) for (const socket of sockets) socket.destroy();
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

export const pass: Handling = async exchange => exchange.answer(await exchange.forward());

/** ClickHouse commits, but the response is lost. */
export const loseAnswer: Handling = async exchange => {
  await exchange.forward();
  exchange.cut();
};

/** Like an intermediary that has lost track of its first attempt. */
export const deliverTwice: Handling = async exchange => {
  await exchange.forward();
  exchange.answer(await exchange.forward());
};

/** Returns an error after the commit: an intermediary's own, or with `code` one of ClickHouse. */
export function failAfterCommit(code?: number): Handling {
  return async exchange => {
    await exchange.forward();
    const headers = code === undefined ? {} : { 'x-clickhouse-exception-code': String(code) };
    const text = code === undefined ? 'upstream error' : `Code: ${code}. DB::Exception: told to.`;
    exchange.answer({ status: 500, headers, body: Buffer.from(text) });
  };
}

/** Always returns "no rows" or "running". */
export const answerNone: Handling = async exchange =>
  exchange.answer({ status: 200, headers: {}, body: Buffer.from('0\n') });

/** Applies `handling` to the first attempt of each block or query; all others pass. */
export function firstTryOnly(handling: Handling): Handling {
  const seen = new Set<string>();
  return exchange => {
    const name = exchange.token || exchange.sql;
    const isFirst = !seen.has(name);
    seen.add(name);
    return (isFirst ? handling : pass)(exchange);
  };
}

/** A point at which an exchange waits until the test opens it. */
export type Barrier = {
  readonly reached: Promise<void>;
  wait(): Promise<void>;
  open(): void;
};

export function createBarrier(): Barrier {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    wait() {
      reached.resolve();
      return opened.promise;
    },
    open: opened.resolve,
  };
}

function handlingOf(proxy: FaultProxy, sql: string): Handling {
  if (sql.startsWith('INSERT ')) return proxy.onInsert;
  if (sql.includes('system.processes')) return proxy.onLook;
  return sql.includes('batch_id =') ? proxy.onQuestion : pass;
}

async function readExchange(
  proxy: FaultProxy,
  target: string,
  incoming: IncomingMessage,
  ends: Pick<Exchange, 'answer' | 'cut'>,
): Promise<Exchange> {
  const body = await readAll(incoming);
  const parameters = new URL(incoming.url ?? '/', target).searchParams;
  const sql = parameters.get('query') ?? body.toString();
  const token = parameters.get('insert_deduplication_token') ?? '';
  if (proxy.withoutDeduplication && sql.startsWith('INSERT ')) {
    parameters.delete('insert_deduplication_token');
    parameters.delete('insert_deduplicate');
    parameters.set('deduplicate_insert', 'disable');
  }
  const open = () =>
    request(`${target}/?${parameters.toString()}`, {
      method: incoming.method ?? 'POST',
      headers: { ...incoming.headers, host: new URL(target).host, connection: 'close' },
      agent: false,
    });
  return {
    sql,
    token,
    ...ends,
    async forwardHalf() {
      const outgoing = open();
      outgoing.on('error', () => undefined);
      const half = body.subarray(0, body.length / 2);
      await new Promise<void>(resolve => outgoing.write(half, () => resolve()));
      outgoing.destroy();
    },
    async forward() {
      const outgoing = open();
      outgoing.end(body);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const { 'transfer-encoding': _, connection: __, ...headers } = response.headers;
      return { status: response.statusCode ?? 0, headers, body: await readAll(response) };
    },
  };
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
