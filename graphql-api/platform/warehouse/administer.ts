// Statements that change rights in a ClickHouse. Reports never run here, because they have limits and read only
// one workspace.

import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { connectReplicas } from './replica-clients.ts';

export type Administration = {
  command(statement: string): Promise<void>;
  ask<Row>(question: string): Promise<readonly Row[]>;
};

/** A statement ON CLUSTER waits for every node. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** `addresses` as in clickhouse-addresses.ts. Rejects with the first error. Connections are closed afterwards. */
export async function administer(
  addresses: string,
  work: (administration: Administration) => Promise<void>,
): Promise<void> {
  const servers = connectReplicas(addresses, url =>
    createClient({
      url,
      application: 'api',
      request_timeout: STATEMENT_TIMEOUT_MS,
      // We log errors ourselves.
      log: { level: ClickHouseLogLevel.OFF },
    }),
  );
  try {
    const client = await servers.reachable();
    await work({
      async command(query) {
        await client.command({ query });
      },
      async ask<Row>(query: string) {
        const result = await client.query({ query, format: 'JSONEachRow' });
        return result.json<Row>();
      },
    });
  } finally {
    await servers.close();
  }
}
