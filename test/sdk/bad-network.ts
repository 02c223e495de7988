// A network between the client and ingest: slow, failing or unavailable. Requests fail before they arrive
// or after their events are stored, because a client cannot distinguish the two.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../harness/random.ts';

export type BadNetwork = {
  readonly url: string;
  /** Set its properties to change it. */
  target: string;
  latencyMs: number;
  /** Of the batches, from 0 to 1. */
  failing: number;
  /** All connections are closed. */
  isAway: boolean;
  readonly batches: readonly SeenBatch[];
  /** Of requests that a browser sends before another one. */
  preflights: number;
  close(): Promise<void>;
};

export type SeenBatch = { readonly events: number; readonly bytes: number };

export async function startBadNetwork(target: string, seed: number): Promise<BadNetwork> {
  const random = createRandom(seed);
  const sockets = new Set<Socket>();
  const batches: SeenBatch[] = [];
  const server = createServer((incoming, outgoing) => {
    // The target is restarting, or the client has hung up.
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const network: BadNetwork = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    latencyMs: 0,
    failing: 0,
    isAway: false,
    batches,
    preflights: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return network;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    if (incoming.method === 'OPTIONS') network.preflights++;
    const isBatch = incoming.url === '/v1/batch' && incoming.method === 'POST';
    if (isBatch) {
      const { batch } = JSON.parse(body.toString()) as { batch: readonly unknown[] };
      batches.push({ events: batch.length, bytes: body.length });
    }
    if (network.latencyMs > 0) await wait(network.latencyMs);
    const fate = isBatch ? random.below(1000) / 1000 / network.failing : 1;
    if (network.isAway || fate < 0.3) {
      incoming.socket.destroy();
      return;
    }
    const answer = fate < 0.6 ? { status: 500, headers: {}, body: Buffer.alloc(0) } : await pass();
    // Stored, and the client does not learn of it.
    if (fate >= 0.6 && fate < 1) incoming.socket.destroy();
    else outgoing.writeHead(answer.status, answer.headers).end(answer.body);

    async function pass() {
      const { method = 'GET', url = '/', headers } = incoming;
      const forwarded = request(network.target + url, {
        method,
        headers: { ...headers, host: new URL(network.target).host, connection: 'close' },
        agent: false,
      });
      forwarded.end(body);
      const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
      const { connection: _, 'transfer-encoding': __, ...rest } = response.headers;
      return { status: response.statusCode ?? 0, headers: rest, body: await readAll(response) };
    }
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
