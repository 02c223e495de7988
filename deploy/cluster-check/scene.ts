// Shared by the checks: the servers of the cluster, a database for the check, and inserts made as ingest makes them.

import { randomUUID } from 'node:crypto';
import { systemClock } from '../../ingest/clock.ts';
import { cutBlocks } from '../../ingest/insert/block.ts';
import { type ClickHouse, connectClickHouse } from '../../ingest/insert/clickhouse.ts';
import { connectCell } from '../../ingest/insert/connect-cell.ts';
import { type InsertBlockDeps, insertBlock } from '../../ingest/insert/insert-block.ts';
import { shardBlocks } from '../../ingest/insert/shard-blocks.ts';
import { shardAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import { type SampleEvent, sampleContents } from './sample-contents.ts';

type Options = {
  /** As in CLICKHOUSE_URL. */
  readonly addresses: string;
  readonly cluster: string;
  /** Does not exist yet. */
  readonly database: string;
  readonly sleep: (ms: number) => Promise<void>;
};

export type Server = ClickHouse & { readonly url: string };

export type Scene = Options & {
  /** The servers of each shard, connected to the database of the check. */
  readonly shards: readonly (readonly Server[])[];
  readonly servers: readonly Server[];
  /** Inserts the events as a segment, like ingest. Returns the segment's ID. */
  insert(events: readonly SampleEvent[], through?: InsertOptions): Promise<string>;
  close(): Promise<void>;
};

type InsertOptions = { readonly addresses?: string; readonly quorum?: number };

export function openScene(options: Options): Scene {
  const { addresses, database, cluster } = options;
  const within = inDatabase(addresses, database);
  const shards = shardAddresses(within).map(urls =>
    urls.map((url): Server => ({ ...connectClickHouse(url), url })),
  );
  const servers = shards.flat();
  return {
    ...options,
    addresses: within,
    shards,
    servers,
    async insert(events, { addresses: through = within, quorum = 1 } = {}) {
      const id = randomUUID();
      const clickhouse = connectCell(through, {
        quorum,
        monotonicMs: () => systemClock.monotonicMs(),
      });
      try {
        for await (const { block, shardDeps } of shardBlocks(
          insertDeps(clickhouse),
          cutBlocks([sampleContents(id, events)]),
        ))
          await insertBlock(shardDeps, block, 'never tried');
      } finally {
        clickhouse.close();
      }
      return id;
    },
    async close() {
      const [anywhere] = shardAddresses(inDatabase(addresses, 'default')).flat();
      const server = connectClickHouse(anywhere!);
      await server
        .execute(`DROP DATABASE IF EXISTS \`${database}\` ON CLUSTER '${cluster}' SYNC`, {
          timeoutMs: DROP_TIMEOUT_MS,
        })
        .catch((error: Error) =>
          process.stderr.write(`${database} could not be removed: ${error.message}\n`),
        );
      for (const one of [...servers, server]) one.close();
    },
  };
}

const DROP_TIMEOUT_MS = 180_000;
/** Beyond these attempts, the check fails instead of waiting. */
const FAILURES_MAX = 20;

function insertDeps(clickhouse: ClickHouse): InsertBlockDeps {
  const stopping = new AbortController();
  let failures = 0;
  return {
    clickhouse,
    clock: systemClock,
    random: Math.random,
    signal: stopping.signal,
    beforeParts: () => Promise.resolve(),
    park: (_, reason) => Promise.reject(new Error(`A row was refused: ${reason}`)),
    onInserted: () => undefined,
    onPresent: () => undefined,
    onFailure: (_, error) => {
      if (++failures === FAILURES_MAX) throw new Error(`Inserts fail: ${String(error)}`);
    },
  };
}

function inDatabase(addresses: string, database: string): string {
  return shardAddresses(addresses)
    .map(urls =>
      urls
        .map(address => {
          const url = new URL(address);
          url.pathname = `/${database}`;
          return url.href;
        })
        .join(),
    )
    .join(';');
}
