// The servers of a cell's ClickHouse. On a cluster, any of them can query all shards. Queries use the same
// server until it fails; the failed query is repeated on the next server, and the failed server is not used for
// a while.

import type { ClickHouseClient } from '@clickhouse/client';
import { allAddresses } from '../../../schema/environment/clickhouse-addresses.ts';
import { ReplicaChoice } from '../../../schema/values/replica-choice.ts';
import { isAway } from './warehouse-refusal.ts';

export type ReplicaClients = {
  /** The work must be repeatable. Rejects with the last error if no server can be reached. */
  run<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T>;
  /** A server that answers, for work that is not repeatable. */
  reachable(): Promise<ClickHouseClient>;
  close(): Promise<void>;
};

/** `addresses` as in clickhouse-addresses.ts. */
export function connectReplicas(
  addresses: string,
  connect: (url: string) => ClickHouseClient,
): ReplicaClients {
  const clients = allAddresses(addresses).map(connect);
  const choice = new ReplicaChoice(clients.length, () => performance.now());

  async function run<T>(work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const n of choice.order()) {
      try {
        return await work(clients[n]!);
      } catch (error) {
        if (!isAway(error)) throw error;
        choice.failed(n);
        failure = error;
      }
    }
    throw failure;
  }

  return {
    run,
    reachable: async () =>
      clients.length === 1
        ? clients[0]!
        : run(async client => {
            const ping = await client.ping();
            if (!ping.success) throw ping.error;
            return client;
          }),
    close: async () => void (await Promise.all(clients.map(client => client.close()))),
  };
}
