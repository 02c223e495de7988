import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port that was free just now, for a process that can't tell which one it took. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
