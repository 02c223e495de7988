import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { startFront } from '../../embedded/front.ts';
import { freePort } from '../../embedded/ports.ts';

/** Fronts and programs behind them, which are closed after the tests. */
export function useFronts() {
  const cleanUps: (() => unknown)[] = [];

  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  async function program(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function front(upstreams: { ingest?: string; api?: string }): Promise<string> {
    const away = `http://127.0.0.1:${await freePort()}`;
    const { ingest = away, api = away } = upstreams;
    const running = await startFront({ host: '127.0.0.1', port: 0, upstreams: { ingest, api } });
    cleanUps.push(() => running.stop());
    return `http://127.0.0.1:${running.port}`;
  }
  return { cleanUps, program, front };
}

/** Responds with the request that it received. */
export const echo: RequestListener = (incoming, response) => {
  const hash = createHash('sha256');
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  incoming.on('end', () => {
    const { method, url, rawHeaders } = incoming;
    response.end(JSON.stringify({ method, url, rawHeaders, bytes, sha256: hash.digest('hex') }));
  });
};

export type Echo = {
  method: string;
  url: string;
  rawHeaders: string[];
  bytes: number;
  sha256: string;
};

/** Sends exactly these bytes over a connection and returns everything received until it closes. */
export async function raw(base: string, bytes: string, isAllSent = false): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  if (isAllSent) socket.end();
  return text(socket);
}
