import type { Routers } from '../endpoints.ts';
import type { Ports } from '../find-ports.ts';
import { OPERATIONS_CONNECTIONS_MAX } from './connections-max.ts';
import { Server, type ServerOptions } from './server.ts';

type Hosts = { readonly host: string; readonly operations: { readonly host: string } | undefined };

/** The servers of a thread: one for the traffic and, if it has its own port, one for operators. */
export class ThreadServers {
  readonly #hosts: Hosts;
  readonly #traffic: Server;
  readonly #operations: Server | undefined;

  constructor(hosts: Hosts, routers: Routers, options: Omit<ServerOptions, 'router'>) {
    this.#hosts = hosts;
    this.#traffic = new Server({ ...options, router: routers.traffic });
    this.#operations =
      routers.operations &&
      new Server({
        ...options,
        router: routers.operations,
        connectionsMax: OPERATIONS_CONNECTIONS_MAX,
      });
  }

  async listen({ port, operationsPort }: Ports): Promise<void> {
    const { host, operations } = this.#hosts;
    if (operations !== undefined) await this.#operations?.listen(operations.host, operationsPort!);
    await this.#traffic.listen(host, port);
  }

  /** Accepts no new connections and asks clients to close open ones. */
  stopListening(): void {
    for (const server of this.#all()) server.stopListening();
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    await Promise.all(this.#all().map(server => server.idle()));
  }

  /** Closes the ports and all connections, even with open requests. Idempotent. */
  close(): void {
    for (const server of this.#all()) server.close();
  }

  #all(): readonly Server[] {
    return this.#operations === undefined ? [this.#traffic] : [this.#traffic, this.#operations];
  }
}
