// Misbehaving receivers on real sockets.

import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { SelfSigned } from '../../../harness/self-signed.ts';

export type Received = {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

export type Receiver = {
  /** The address, without a path. */
  readonly url: string;
  readonly received: readonly Received[];
};

export type Answer = (
  request: Received,
  answer: http.ServerResponse,
  incoming: http.IncomingMessage,
) => void;

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing.splice(0)) close();
});

/** Runs until the end of the test file. */
export async function httpReceiver(answer: Answer, tls?: SelfSigned): Promise<Receiver> {
  const received: Received[] = [];
  const listener: http.RequestListener = (incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', chunk => {
      body += String(chunk);
    });
    incoming.on('end', () => {
      const request = { path: incoming.url!, headers: incoming.headers, body };
      received.push(request);
      answer(request, response, incoming);
    });
    incoming.on('error', () => undefined);
    response.on('error', () => undefined);
  };
  const server =
    tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  const port = await listen(server);
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`, received };
}

/** Passes each connection to the caller, and returns the port. */
export async function rawServer(onConnection: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  const port = await listen(server);
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return port;
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
