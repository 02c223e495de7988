// A proxy between ingest and a real Postgres that simulates a loss of the network.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = {
  /** The given address, with the host and port of the proxy. */
  readonly url: string;
  /** Ends all connections and refuses new ones immediately. */
  cut(): void;
  /** Keeps connections open and accepts new ones, but forwards no bytes. */
  freeze(): void;
  heal(): void;
  close(): Promise<void>;
};

export async function startCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: 'open' | 'cut' | 'frozen' = 'open';
  const server = createServer({ noDelay: true }, near => {
    if (mode === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({
      port: Number(target.port || 5432),
      host: target.hostname,
      noDelay: true,
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', bytes => void (mode === 'open' && far.write(bytes)));
    far.on('data', bytes => void (mode === 'open' && near.write(bytes)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      mode = 'cut';
      dropAll();
    },
    freeze: () => {
      mode = 'frozen';
    },
    // A stream that has lost bytes cannot be resumed.
    heal: () => {
      if (mode === 'frozen') dropAll();
      mode = 'open';
    },
    close: () => {
      dropAll();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
