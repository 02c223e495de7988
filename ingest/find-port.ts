import { type AddressInfo, createServer } from 'node:net';

/**
 * Finds the port to open. The threads share it through SO_REUSEPORT, which would also silently
 * share it with another process of the same user and does not work with port 0.
 */
export function findPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${port} is in use. Set INGEST_PORT to a free port (0 selects one).`
        : `Port ${port} cannot be opened (${error.code}). Set INGEST_PORT or INGEST_HOST.`;
      reject(new Error(message));
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });
}
