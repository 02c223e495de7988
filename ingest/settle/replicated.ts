// The part of a run that involves the other replicas of its shard. Inserts go to any replica, and the view is
// read on any, but a part reaches the others a moment later or, after an outage, much later. So:
//
// - A run covers everything that any replica has committed, up to the beginning of the earliest insert that is
//   still running on one of them. The leader first fetches all of these parts.
// - Its record is written only when all replicas have the result that it describes. The record itself may
//   arrive at a replica at any later time.
//
// A replica that does not respond stops the runs of its shard: the view stays correct but becomes slower.

import type { Connection } from './settle-events.ts';
import { catchUp, countOverlap, fetchAll, partsOfDay, untilQuery } from './statements.ts';

const TABLES = ['events_raw', 'events_late', 'events_settling'];
/** The server waits up to five minutes for a part. */
const SYNC_TIMEOUT_MS = 6 * 60_000;

type Replicas = { readonly clickhouse: Connection; readonly others?: readonly Connection[] };
type End = { readonly until: string; readonly closedUntil: string };

/**
 * The time before which every insert into one of the other replicas has ended; undefined without others.
 * The leader then has these rows.
 */
export async function endOfInserts(
  { clickhouse, others = [] }: Replicas,
  now: string,
): Promise<End | undefined> {
  if (others.length === 0) return undefined;
  const ends = await Promise.all(others.map(other => rowsOf(other, untilQuery(now))));
  for (const table of TABLES)
    await clickhouse.execute(fetchAll(table), { timeoutMs: SYNC_TIMEOUT_MS });
  const earliest = (column: number) => ends.map(([row]) => row![column]!).sort()[0]!;
  return { until: earliest(0), closedUntil: earliest(1) };
}

/** Whether the replicas have the late events of the run, and the settled day as one part. */
export async function haveReplicated(
  others: readonly Connection[] = [],
  day: string | undefined,
): Promise<boolean> {
  const done = await Promise.all(
    others.map(async other => {
      const sync = (sql: string) => other.execute(sql, { timeoutMs: SYNC_TIMEOUT_MS });
      await sync(fetchAll('events_late'));
      if (day === undefined) return true;
      await sync(catchUp('events_raw'));
      const [[parts] = []] = await rowsOf(other, partsOfDay(day));
      const [[overlap] = []] = await rowsOf(other, countOverlap(day));
      return parts === '1' && overlap === '0';
    }),
  );
  return !done.includes(false);
}

export async function rowsOf(clickhouse: Connection, sql: string): Promise<string[][]> {
  const answer = await clickhouse.execute(`${sql} FORMAT TSV`);
  return answer
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split('\t'));
}
