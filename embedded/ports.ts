import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Fails with a message that names the variable to change, before the real server would. */
export async function requireFreePort(port: number, variable: string, host = LOOPBACK) {
  const opened = await tryPort(port, host);
  if (opened === undefined) {
    throw new Error(
      `Port ${port} on ${host} is taken by another program. ` +
        `Set ${variable} to another port; 0 takes a free one.`,
    );
  }
}

/** A port that was free a moment ago. Another program may take it first: be ready to ask again. */
export async function freePort(host = LOOPBACK): Promise<number> {
  const port = await tryPort(0, host);
  if (port === undefined) throw new Error(`No free port on ${host}.`);
  return port;
}

/** The port that was opened and closed again; undefined when it is taken. */
function tryPort(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
