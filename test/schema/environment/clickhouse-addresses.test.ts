import { expect, test } from 'vitest';
import {
  addressProblems,
  allAddresses,
  shardAddresses,
} from '../../../schema/environment/clickhouse-addresses.ts';
import {
  analystUrls,
  insertQuorums,
  quorumProblems,
} from '../../../schema/environment/clickhouse-urls.ts';

const CLUSTER = 'http://a1:8123/w, http://a2:8123/w ; http://b1:8123/w,http://b2:8123/w';

test('commas separate replicas, and semicolons shards', () => {
  expect(shardAddresses(CLUSTER)).toEqual([
    ['http://a1:8123/w', 'http://a2:8123/w'],
    ['http://b1:8123/w', 'http://b2:8123/w'],
  ]);
  expect(allAddresses(CLUSTER)).toHaveLength(4);
});

test('a password may have these characters', () => {
  const url = 'http://service:a,b;c@host:8123/w';
  expect(shardAddresses(url)).toEqual([[url]]);
});

test.each([
  ['not an address', 'http://a:8123,b:8123', 'must be one or more http or https URLs'],
  ['another protocol', 'tcp://a:9000', 'must be one or more http or https URLs'],
  ['the same address twice', 'http://a:8123,http://a:8123', 'contains the same address twice'],
  ['different databases', 'http://a:8123/w,http://b:8123/x', 'must name the same database'],
])('%s is refused', (_, text, problem) => {
  expect(addressProblems('CLICKHOUSE_URL', text).join()).toContain(problem);
});

test('a quorum is possible in each shard', () => {
  const env = { CLICKHOUSE_URL: CLUSTER, CLICKHOUSE_URL_EU: 'http://c:8123' };
  expect(insertQuorums({ ...env, CLICKHOUSE_INSERT_QUORUM: '2' })).toEqual({ default: 2 });
  expect(quorumProblems({ ...env, CLICKHOUSE_INSERT_QUORUM: '2' })).toEqual([]);
  for (const [name, value] of [
    ['CLICKHOUSE_INSERT_QUORUM', '3'],
    ['CLICKHOUSE_INSERT_QUORUM', 'auto'],
    ['CLICKHOUSE_INSERT_QUORUM_EU', '2'],
    ['CLICKHOUSE_INSERT_QUORUM_US', '1'],
  ] as const)
    expect(quorumProblems({ ...env, [name]: value }).join()).toContain(`${name}: must be`);
});

test('analysts are shown the first address', () => {
  expect(analystUrls({ CLICKHOUSE_URL: CLUSTER })).toEqual({ default: 'http://a1:8123' });
});
