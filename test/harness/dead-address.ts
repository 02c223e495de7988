import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * An address that closes all connections. It is held until `close`, so that no other process of the
 * run can get the port.
 */
export async function deadAddress(): Promise<{ hostPort: string; close(): Promise<void> }> {
  const server: Server = createServer(socket => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    hostPort: `127.0.0.1:${port}`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
