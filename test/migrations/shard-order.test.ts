// The shards of CLICKHOUSE_URL are those of the cluster, in the same order.

import { createClient } from '@clickhouse/client';
import { expect, inject, test } from 'vitest';
import { askShard, requireShardOrder, shardProblems } from '../../migrations/shard-order.ts';

const SHARDS = [
  ['http://a1:8123', 'http://a2:8123'],
  ['http://b1:8123', 'http://b2:8123'],
];
const ANSWERS = new Map([
  ['http://a1:8123', { shard: 1, shards: 2 }],
  ['http://a2:8123', { shard: 1, shards: 2 }],
  ['http://b1:8123', { shard: 2, shards: 2 }],
]);

test('servers in their shard are accepted, and those that do not answer are left out', () => {
  expect(shardProblems(SHARDS, ANSWERS)).toEqual([]);
});

test('a server in another shard is refused', () => {
  expect(shardProblems([SHARDS[1]!, SHARDS[0]!], ANSWERS)).toContain(
    'b1:8123 is in shard 2 of the cluster, but CLICKHOUSE_URL lists it in shard 1',
  );
});

test('another number of shards is refused', () => {
  expect(shardProblems([SHARDS.flat()], ANSWERS)).toContain(
    'the cluster of a1:8123 has 2 shards, but CLICKHOUSE_URL lists 1',
  );
});

test('a server outside of the cluster is refused', async () => {
  const url = inject('clickhouseUrl');
  const client = createClient({ url });
  expect(await askShard(client, 'nowhere')).toEqual({ shard: 0, shards: 0 });
  await client.close();
  const target = { cell: 'default', url, cluster: 'nowhere' };
  await expect(
    requireShardOrder(target, address => createClient({ url: address })),
  ).rejects.toThrow('has 0 shards, but CLICKHOUSE_URL lists 1');
});

test('several addresses without a cluster are refused: their tables would not be replicated', async () => {
  const target = { cell: 'eu', url: 'http://a:8123,http://b:8123', cluster: undefined };
  await expect(requireShardOrder(target, url => createClient({ url }))).rejects.toThrow(
    'ClickHouse of cell eu has several addresses: set CLICKHOUSE_CLUSTER.',
  );
});
