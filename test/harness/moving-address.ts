import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type MovingAddress = {
  /** Never changes. */
  readonly url: string;
  /** Sets its target; without a URL, connections are closed. */
  pointTo(url: string | undefined): void;
  close(): Promise<void>;
};

/** A stable address for a process that restarts on another port. */
export async function movingAddress(): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let target: URL | undefined;
  const server = createServer({ noDelay: true }, client => {
    client.on('error', () => undefined);
    if (target === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect({
      port: Number(target.port),
      host: target.hostname,
      noDelay: true,
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pointTo(url) {
      target = url === undefined ? undefined : new URL(url);
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
