// The sockets of every connection to Postgres. A network that hangs answers nothing, not even that the
// connection is lost; a process that stops must not wait for it.

import { Socket } from 'node:net';

export class PostgresSockets {
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  /** For pg, which connects it. */
  readonly open = (): Socket => {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#isCut) setImmediate(() => socket.destroy(new Error(STOPPING)));
    return socket;
  };

  /** Whoever waits for an answer fails now, and no new connection is made. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy(new Error(STOPPING));
  }
}

const STOPPING = 'The process stops, and Postgres has not answered.';
