import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpGate = {
  readonly port: number;
  /** While closed, open and new connections are closed immediately. */
  setOpen(isOpen: boolean): void;
  /**
   * While hanging, open connections stay, new ones are accepted, and no bytes pass in either
   * direction.
   */
  setHanging(isHanging: boolean): void;
  close(): Promise<void>;
};

/** A proxy to a server. Closing it affects only the process under test. */
export async function startTcpGate(host: string, port: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  /** The socket to which each socket's data is forwarded. */
  const destinations = new WeakMap<Socket, Socket>();
  let [isOpen, isHanging] = [true, false];
  const server = createServer({ noDelay: true }, client => {
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect({ port, host, noDelay: true });
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
      if (isHanging) from.unpipe(to).pause();
      destinations.set(from, to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    setOpen(open) {
      isOpen = open;
      if (!open) cut();
    },
    setHanging(hanging) {
      isHanging = hanging;
      for (const from of sockets) {
        const to = destinations.get(from)!;
        if (hanging) from.unpipe(to).pause();
        else from.pipe(to);
      }
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
