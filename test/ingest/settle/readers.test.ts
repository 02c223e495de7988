// Readers never see the intermediate state of a background run, although nothing locks them out.

import { expect, test } from 'vitest';
import { connectClickHouse } from '../../../ingest/insert/clickhouse.ts';
import { settleEvents } from '../../../ingest/settle/settle-events.ts';
import { useClickHouse } from '../../harness/own-clickhouse.ts';
import { uuid } from './uuid.ts';

const clickhouse = useClickHouse();
const EVENTS_PER_INSERT = 20;
const isLong = process.env.TEST_LONG === '1';
const INSERTS = isLong ? 1_000 : 60;
/**
 * Longer than a query takes from the list of parts to the record, and short enough for many
 * switches.
 */
const LAG_MS = 2_000;

test('while late events are inserted, repeated and settled, each event is in every result once', {
  timeout: isLong ? 1_800_000 : 600_000,
}, async () => {
  let inserted = 0;
  let isInserting = true;
  const insert = async (first: number) => {
    await clickhouse().command(
      `INSERT INTO events_raw (workspace_id, event, message_id, timestamp, received_at)
       SELECT toUUID('${uuid(1, 1)}'), 'late', toString(${first} + number % ${EVENTS_PER_INSERT}),
              toDateTime64('2025-01-01 00:00:00', 3, 'UTC') + toIntervalHour(number % ${EVENTS_PER_INSERT}), now64(3)
       FROM numbers(${2 * EVENTS_PER_INSERT})`,
    );
  };
  const insertAll = async () => {
    for (let n = 0; n < INSERTS; n++) {
      await insert(n * EVENTS_PER_INSERT);
      inserted = (n + 1) * EVENTS_PER_INSERT;
      // Resends events that were settled long ago.
      await insert((n >> 1) * EVENTS_PER_INSERT);
    }
    isInserting = false;
  };
  const settle = async () => {
    const connection = connectClickHouse(clickhouse().url);
    const deps = { clickhouse: connection, node: uuid(2, 2), lagMs: LAG_MS, rowsMin: 1 };
    while (isInserting)
      await settleEvents({ ...deps, sleep: ms => new Promise(done => setTimeout(done, ms)) });
    connection.close();
  };
  const answers: { count: string; distinct: string; least: number }[] = [];
  const read = async () => {
    while (isInserting) {
      const least = inserted;
      const [answer] = await clickhouse().rows<{ count: string; distinct: string }>(
        'SELECT count() AS count, uniqExact(message_id) AS distinct FROM events',
      );
      answers.push({ ...answer!, least });
    }
  };
  await Promise.all([insertAll(), settle(), read(), read()]);
  expect(answers.filter(({ count, distinct }) => count !== distinct)).toEqual([]);
  expect(answers.filter(({ count, least }) => Number(count) < least)).toEqual([]);
  const [settled] = await clickhouse().rows<{ rows: string }>(
    'SELECT count() AS rows FROM events_late',
  );
  expect(Number(settled!.rows)).toBeGreaterThan(0);
});
