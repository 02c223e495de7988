// A server's address that dies in the middle of an insert: it forwards the first insert, drops the response,
// and refuses connections from then on.

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LossyProxy = { readonly url: string; readonly hasDied: () => boolean; close(): void };

/** `target`: an http URL. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  let hasDied = false;
  const server = createServer((incoming, outgoing) => {
    const isInsert = new URL(incoming.url ?? '/', target).searchParams
      .get('query')
      ?.startsWith('INSERT ');
    const { host, origin } = new URL(target);
    const forwarded = request(new URL(incoming.url ?? '/', origin), {
      method: incoming.method ?? 'POST',
      headers: { ...incoming.headers, host },
    });
    forwarded.on('error', () => incoming.socket.destroy());
    forwarded.on('response', answer => {
      if (!isInsert) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      hasDied = true;
      answer.resume();
      server.close();
      server.closeAllConnections();
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hasDied: () => hasDied,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
