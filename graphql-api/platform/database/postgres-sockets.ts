// The sockets of all connections to Postgres. A network that hangs does not report a lost connection,
// so a process that stops destroys them instead of waiting.

import { Socket } from 'node:net';

export class PostgresSockets {
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  /** Creates a socket, which pg connects. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#isCut) setImmediate(() => socket.destroy(new Error(STOPPING)));
    return socket;
  };

  /** Fails all pending queries and all later connections. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy(new Error(STOPPING));
  }
}

const STOPPING = 'The process is stopping and Postgres did not respond.';
