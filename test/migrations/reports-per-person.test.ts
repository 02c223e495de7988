// The sort keys of in-app reports and responses now include the person. Tables with rows are
// rebuilt, and a migration that is interrupted and repeated loses none of them.

import type { ClickHouseClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { newWarehouse, rowsOf, statementsOf } from './new-warehouse.ts';

const FILE = '0005_reports_per_person.sql';
const BEFORE = ['0001_events.sql', '0002_sdk_edge.sql', '0003_reports.sql', '0004_send_audits.sql'];
const STATEMENTS = await statementsOf(FILE);

test.each([...STATEMENTS.keys(), STATEMENTS.length])(
  'interrupted after %i of its statements and repeated, it keeps every row',
  async done => {
    const { client, migrateTo } = await newWarehouse();
    await migrateTo(BEFORE);
    await insertReports(client, ['old-1', 'old-2']);
    for (const query of STATEMENTS.slice(0, done)) await client.command({ query });
    // Meanwhile ingest keeps inserting, and its clients resend requests that failed.
    await insertReports(client, ['old-1', 'meanwhile']);
    await migrateTo([...BEFORE, FILE]);
    await insertReports(client, ['old-2', 'new']);
    const all = ['meanwhile', 'new', 'old-1', 'old-2'];
    expect(await peopleIn(client, 'in_app_events')).toEqual(all);
    expect(await peopleIn(client, 'in_app_responses')).toEqual(all);
    const tables = await rowsOf(client, `SHOW TABLES LIKE '%beside%'`);
    expect(tables).toEqual([]);
    await client.close();
  },
);

/** Each report has its own key, except that "new" has the key of "old-1". */
async function insertReports(client: ClickHouseClient, people: readonly string[]): Promise<void> {
  const values = people.map(user_id => ({
    campaign_id: 'c',
    user_id,
    key: user_id === 'new' ? 'old-1' : user_id,
  }));
  await client.insert({
    table: 'in_app_events_raw',
    format: 'JSONEachRow',
    values: values.map(({ key, ...row }) => ({ ...row, event_type: 'clicked', event_key: key })),
  });
  await client.insert({
    table: 'in_app_responses_raw',
    format: 'JSONEachRow',
    values: values.map(({ key, ...row }) => ({ ...row, response_type: 'nps', response_key: key })),
  });
}

async function peopleIn(client: ClickHouseClient, view: string): Promise<unknown[]> {
  const found = await rowsOf<{ user_id: string }>(client, `SELECT user_id FROM ${view} ORDER BY 1`);
  return found.map(({ user_id }) => user_id);
}
