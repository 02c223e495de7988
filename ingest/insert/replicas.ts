// Queries all replicas of a shard for rows. A replica receives the parts of the others a moment later, or much
// later, but it always has the rows of the inserts that it accepted itself. A replica that does not respond may
// have accepted a block that the others lack. The block is then inserted again on another replica, and
// ClickHouse Keeper recognizes its token, regardless of the replica. Once the token has left the deduplication
// window, the rows are further copies of the same events, and the sort key removes them.

import type { ClickHouse, StatementOptions } from './clickhouse.ts';

/** The results of all replicas that respond; rejects if none does. */
export async function askReplicas(
  shard: ClickHouse,
  sql: string,
  options?: StatementOptions,
): Promise<readonly string[]> {
  const { replicas = [shard] } = shard;
  const outcomes = await Promise.allSettled(replicas.map(replica => replica.execute(sql, options)));
  const answers = outcomes.flatMap(outcome =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  if (answers.length > 0) return answers;
  throw outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))[0];
}

/** The same for all shards; rejects if no replica of a shard responds. */
export async function askShards(
  cell: ClickHouse,
  sql: string,
  options?: StatementOptions,
): Promise<readonly string[]> {
  const { shards = [cell] } = cell;
  return (await Promise.all(shards.map(shard => askReplicas(shard, sql, options)))).flat();
}
