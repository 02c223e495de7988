import { type AddressInfo, createServer } from 'node:net';
import type { Config } from './config.ts';

export type Ports = {
  readonly port: number;
  /** Undefined: the endpoints for operators are on `port`. */
  readonly operationsPort: number | undefined;
};

/**
 * Finds the ports to open. The threads share them through SO_REUSEPORT, which would also silently
 * share them with another process of the same user and does not work with port 0.
 */
export async function findPorts({
  host,
  port,
  operations,
}: Pick<Config, 'host' | 'port' | 'operations'>): Promise<Ports> {
  return {
    port: await findPort('INGEST', host, port),
    operationsPort:
      operations && (await findPort('INGEST_OPERATIONS', operations.host, operations.port)),
  };
}

function findPort(variables: string, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${port} is in use. Set ${variables}_PORT to a free port (0 selects one).`
        : `Port ${port} cannot be opened (${error.code}). Set ${variables}_PORT or ${variables}_HOST.`;
      reject(new Error(message));
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });
}
