// A replica receives the parts of the others a moment later, or much later. So the question for rows goes to
// all replicas of a shard, and each is right about the inserts that it took itself. A replica that does not
// answer may have taken a block that the others lack. Then the block is repeated on another one, and
// ClickHouse Keeper recognizes its token, whichever replica had it first. Beyond the window of tokens, the
// rows are a further copy of the same events, which the sort key removes.

import type { ClickHouse, StatementOptions } from './clickhouse.ts';

/** The answers of all replicas that answer; rejects if none does. */
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

/** The same for all shards; rejects if a shard has no replica that answers. */
export async function askShards(
  cell: ClickHouse,
  sql: string,
  options?: StatementOptions,
): Promise<readonly string[]> {
  const { shards = [cell] } = cell;
  return (await Promise.all(shards.map(shard => askReplicas(shard, sql, options)))).flat();
}
