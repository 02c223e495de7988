import { type AddressInfo, createServer } from 'node:net';

/**
 * The port to open. The threads share it by SO_REUSEPORT, which would also share it, silently,
 * with another process of the same user, and which a port of the system's choosing doesn't have.
 */
export function findPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${port} is taken. Set INGEST_PORT to a free port (0 takes any).`
        : `Port ${port} cannot be opened (${error.code}). Set INGEST_PORT or INGEST_HOST.`;
      reject(new Error(message));
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });
}
