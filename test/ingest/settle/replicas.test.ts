// Days of a shard with two replicas. Two engines represent them: neither receives parts of the other automatically,
// so the test decides what has been replicated. The embedded engine has no Keeper, so the statements that wait for
// replication are answered here; everything else runs on the engines.

import { beforeEach, expect, test } from 'vitest';
import { connectClickHouse } from '../../../ingest/insert/clickhouse.ts';
import { type Connection, settleEvents } from '../../../ingest/settle/settle-events.ts';
import { type OwnClickHouse, useClickHouse } from '../../harness/own-clickhouse.ts';
import { uuid } from './uuid.ts';

const leader = useClickHouse();
const other = useClickHouse();
const DAY_MS = 86_400_000;
const DAY = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);

let syncs: string[] = [];
let sync: (where: string) => Promise<string>;

beforeEach(async () => {
  syncs = [];
  sync = async () => '';
  for (const engine of [leader(), other()])
    for (const table of ['events_raw', 'events_late', 'events_settling'])
      await engine.command(`TRUNCATE TABLE ${table}`);
});

function connectionOf(engine: OwnClickHouse, where: string): Connection {
  return {
    async execute(sql, options) {
      if (sql.startsWith('SYSTEM SYNC REPLICA ')) {
        syncs.push(`${where}: ${sql.slice('SYSTEM SYNC REPLICA '.length)}`);
        return sync(where);
      }
      const connection = connectClickHouse(engine.url);
      try {
        return await connection.execute(sql, options);
      } finally {
        connection.close();
      }
    },
  };
}

function run() {
  return settleEvents({
    clickhouse: connectionOf(leader(), 'leader'),
    others: [connectionOf(other(), 'other')],
    node: uuid(1, 1),
    sleep: ms => new Promise(resolve => setTimeout(resolve, ms)),
    lagMs: 0,
    rowsMin: 1,
  });
}

/** One part of the closed day. */
async function insertOnTime(engine: OwnClickHouse, messageId: string): Promise<void> {
  await engine.command(
    `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at, inserted_at)
     VALUES ('${uuid(2, 2)}', 'Page', '${messageId}', '${DAY} 10:00:00', '${DAY} 10:00:01', '${DAY} 10:00:02')`,
  );
}

function partsOfLeader() {
  return leader().rows("SELECT name FROM system.parts WHERE table = 'events_raw' AND active");
}

async function settledUntil(engine: OwnClickHouse): Promise<string> {
  const [row] = await engine.rows<{ day: string }>(
    'SELECT tupleElement(record, 2) AS day FROM events_settled',
  );
  return row!.day;
}

test('a day is settled when it is one part on every replica', async () => {
  for (const engine of [leader(), other()])
    for (const id of ['a', 'b', 'a']) await insertOnTime(engine, id);
  await run();
  expect(await settledUntil(leader())).toBe('1970-01-01');
  const merged = await partsOfLeader();
  // The other replica does the merge of the leader.
  await other().command(
    `OPTIMIZE TABLE events_raw PARTITION (0, ${DAY.replaceAll('-', '')}) FINAL`,
  );
  await run();
  expect((await settledUntil(leader())) >= DAY).toBe(true);
  // It was not merged again: the other replica would never have caught up.
  expect(await partsOfLeader()).toEqual(merged);
  expect(syncs).toContain('other: events_raw');
});

test('late events are recorded as moved only when every replica has them', async () => {
  await leader().command(
    `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at, inserted_at)
     VALUES ('${uuid(2, 2)}', 'Page', 'late', '${DAY} 10:00:00', now64(3) - 5, now64(3) - 5)`,
  );
  const records = async () =>
    leader().rows("SELECT turn FROM events_settling WHERE valid_from < '2100-01-01'");
  sync = async where => {
    if (where === 'other') throw new Error('The part is not there in time.');
    return '';
  };
  await expect(run()).rejects.toThrow('not there in time');
  expect(await records()).toEqual([]);
  sync = async () => '';
  await run();
  expect(await records()).toHaveLength(1);
  expect(await leader().rows('SELECT message_id AS id FROM events')).toEqual([{ id: 'late' }]);
});

test('a replica that does not answer stops the runs', async () => {
  await insertOnTime(leader(), 'a');
  const away: Connection = { execute: () => Promise.reject(new Error('ECONNREFUSED')) };
  const deps = { clickhouse: connectionOf(leader(), 'leader'), others: [away], node: uuid(1, 1) };
  await expect(settleEvents({ ...deps, sleep: () => Promise.resolve() })).rejects.toThrow(
    'ECONNREFUSED',
  );
  expect(await leader().rows('SELECT turn FROM events_settling')).toEqual([]);
});

test('a run first has what every replica committed, and ends before the inserts that still run on one', async () => {
  await leader().command(
    `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at, inserted_at)
     VALUES ('${uuid(2, 2)}', 'Page', 'late', '${DAY} 10:00:00', now64(3) - 5, now64(3) - 5)`,
  );
  const startedMs = Date.now();
  const running = other().command(
    `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at)
     SELECT '${uuid(2, 2)}', 'Page', toString(sleepEachRow(3) + number), now64(3), now64(3) FROM numbers(2)
     SETTINGS max_block_size = 1`,
  );
  const connection = connectionOf(other(), 'other');
  const running1 =
    "SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO events_raw%' FORMAT TSV";
  while ((await connection.execute(running1)).trim() === '0');
  await run();
  await running;
  const [row] = await leader().rows<{ until: number }>(
    'SELECT toUnixTimestamp64Milli(max(swept_until)) AS until FROM events_settling',
  );
  expect(Number(row!.until)).toBeGreaterThan(0);
  expect(Number(row!.until)).toBeLessThan(startedMs);
  expect(syncs.slice(0, 3)).toEqual([
    'leader: events_raw LIGHTWEIGHT',
    'leader: events_late LIGHTWEIGHT',
    'leader: events_settling LIGHTWEIGHT',
  ]);
});
