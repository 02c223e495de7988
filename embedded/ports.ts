import { type AddressInfo, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Fails with a message that names the variable to change, before the real server would. */
export async function requireFreePort(port: number, variable: string, host = LOOPBACK) {
  await tryPort(port, host).catch((error: Error) => {
    throw portFault(error, port, host, variable);
  });
}

/** Names the variable to change if a server cannot listen. Other errors are unchanged. */
export function portFault(
  error: NodeJS.ErrnoException,
  port: number,
  host: string,
  variable: string,
): Error {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is in use by another program. ` +
          `Set ${variable} to another port; 0 selects a free one.`,
      );
    case 'EACCES':
      return new Error(
        `This user is not allowed to open port ${port} on ${host}. Set ${variable} to a port of at least 1024.`,
      );
    case 'EADDRNOTAVAIL':
      return new Error(
        `${host} is not an address of this machine. Set HOST to an address of this machine, such as ${LOOPBACK}.`,
      );
    case 'ENOTFOUND':
      return new Error(`The host ${host} does not exist. Set HOST to an address of this machine.`);
    default:
      return error;
  }
}

/** A port that was free a moment ago. Another program may take the port first: be prepared to retry. */
export async function freePort(host = LOOPBACK): Promise<number> {
  return await tryPort(0, host);
}

/** The port that was opened and closed again. */
function tryPort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const { port: opened } = server.address() as AddressInfo;
      server.close(() => resolve(opened));
    });
  });
}
