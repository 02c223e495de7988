// events_raw is rebuilt with different partitions and its existing rows. A migration that is
// interrupted and repeated loses none of them.

import type { ClickHouseClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { connectClickHouse } from '../../ingest/insert/clickhouse.ts';
import { settleEvents } from '../../ingest/settle/settle-events.ts';
import { newWarehouse, rowsOf, statementsOf } from './new-warehouse.ts';

const FILE = '0007_settled_days.sql';
const BEFORE = [
  '0001_events.sql',
  '0002_sdk_edge.sql',
  '0003_reports.sql',
  '0004_send_audits.sql',
  '0005_reports_per_person.sql',
  '0006_delivery_links.sql',
];
const STATEMENTS = await statementsOf(FILE);
/** Ends with the drop of the table that was in use; later statements only add to it. */
const COPYING = STATEMENTS.findLastIndex(query => query.includes('DROP TABLE')) + 1;
const DAY_MS = 86_400_000;

test.each([...STATEMENTS.slice(0, COPYING + 1).keys(), STATEMENTS.length])(
  'interrupted after %i of its statements and repeated, it keeps every event once',
  async done => {
    const { client, url, migrateTo } = await newWarehouse();
    await migrateTo(BEFORE);
    await insertEvents(client, ['old-1', 'old-2']);
    for (const query of STATEMENTS.slice(0, done)) await client.command({ query });
    // Meanwhile ingest keeps inserting, and its clients resend requests that failed.
    await insertEvents(client, ['old-1', 'meanwhile']);
    await migrateTo([...BEFORE, FILE]);
    await insertEvents(client, ['old-2', 'new']);
    const all = ['meanwhile', 'new', 'old-1', 'old-2'].flatMap(id => Array(KINDS.length).fill(id));
    expect(await idsOf(client)).toEqual(all);
    await settle(url);
    expect(await idsOf(client)).toEqual(all);
    expect(await rowsOf(client, `SHOW TABLES LIKE '%beside%'`)).toEqual([]);
    await client.close();
  },
);

/** The age of an event and of its receipt: on time, on time long ago, late, and ahead of time. */
const KINDS = [
  [0, 0],
  [40, 40],
  [40, 10],
  [-5, 0],
] as const;

/** Inserts one event of each kind per ID. */
async function insertEvents(client: ClickHouseClient, ids: readonly string[]): Promise<void> {
  const nowMs = Date.now();
  const at = (daysAgo: number) => new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, -1);
  const values = ids.flatMap(message_id =>
    KINDS.map(([occurred, received], kind) => ({
      event: `kind-${kind}`,
      message_id,
      timestamp: at(occurred),
      received_at: at(received),
    })),
  );
  await client.insert({ table: 'events_raw', format: 'JSONEachRow', values });
}

async function settle(url: string): Promise<void> {
  const clickhouse = connectClickHouse(url);
  const sleep = () => Promise.resolve();
  const deps = { clickhouse, node: crypto.randomUUID(), sleep, lagMs: 0, waitMaxMs: 0 };
  while ((await settleEvents(deps)).hasMore);
  clickhouse.close();
}

async function idsOf(client: ClickHouseClient): Promise<unknown[]> {
  const found = await rowsOf<{ message_id: string }>(
    client,
    'SELECT message_id FROM events ORDER BY 1',
  );
  return found.map(({ message_id }) => message_id);
}
