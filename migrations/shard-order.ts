// Ingest places a row by the position of its shard in CLICKHOUSE_URL, and migrations by its number in the
// cluster. Both must be the same; otherwise, copies of an event would be in different shards.

import type { ClickHouseClient } from '@clickhouse/client';
import { type ShardAddresses, shardAddresses } from '../schema/environment/clickhouse-addresses.ts';

/** The information that a server returns about itself. */
export type ShardAnswer = {
  /** Its number, from 1; 0 if the cluster does not have the server. */
  readonly shard: number;
  readonly shards: number;
};

/** Throws if the addresses do not match the cluster. Servers that do not respond are ignored. */
export async function requireShardOrder(
  target: { readonly cell: string; readonly url: string; readonly cluster: string | undefined },
  connect: (url: string) => ClickHouseClient,
): Promise<void> {
  const { cell, url, cluster } = target;
  const shards = shardAddresses(url);
  if (cluster === undefined) {
    if (shards.flat().length === 1) return;
    throw new Error(`ClickHouse of cell ${cell} has several addresses: set CLICKHOUSE_CLUSTER.`);
  }
  const answers = new Map<string, ShardAnswer>();
  for (const address of shards.flat()) {
    const client = connect(address);
    const answer = await askShard(client, cluster).catch(() => undefined);
    await client.close();
    if (answer !== undefined) answers.set(address, answer);
  }
  const [problem] = shardProblems(shards, answers);
  if (problem !== undefined) throw new Error(`ClickHouse of cell ${cell}: ${problem}`);
}

/** One line for each mismatch. */
export function shardProblems(
  shards: ShardAddresses,
  answers: ReadonlyMap<string, ShardAnswer>,
): readonly string[] {
  return shards.flatMap((replicas, index) =>
    replicas.flatMap(address => {
      const answer = answers.get(address);
      if (answer === undefined) return [];
      const { host } = new URL(address);
      if (answer.shards !== shards.length)
        return [
          `the cluster of ${host} has ${answer.shards} shards, but CLICKHOUSE_URL lists ${shards.length}`,
        ];
      if (answer.shard !== index + 1)
        return [
          `${host} is in shard ${answer.shard} of the cluster, but CLICKHOUSE_URL lists it in shard ${index + 1}`,
        ];
      return [];
    }),
  );
}

export async function askShard(client: ClickHouseClient, cluster: string): Promise<ShardAnswer> {
  const result = await client.query({
    query: `SELECT toUInt32(maxIf(shard_num, is_local)) AS shard, toUInt32(max(shard_num)) AS shards
            FROM system.clusters WHERE cluster = {cluster:String}`,
    query_params: { cluster },
    format: 'JSONEachRow',
  });
  const [row] = await result.json<ShardAnswer>();
  return row!;
}
