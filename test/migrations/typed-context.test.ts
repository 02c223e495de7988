// Keys of context have their own columns now, and the event name has another type. Events stored
// earlier keep their names and have the new columns, even after an interrupted migration.

import { expect, test } from 'vitest';
import { newWarehouse, rowsOf, statementsOf } from './new-warehouse.ts';

const FILE = '0008_typed_context.sql';
const BEFORE = [
  '0001_events.sql',
  '0002_sdk_edge.sql',
  '0003_reports.sql',
  '0004_send_audits.sql',
  '0005_reports_per_person.sql',
  '0006_delivery_links.sql',
  '0007_settled_days.sql',
];

test('events stored earlier can be read with the new columns', async () => {
  const { client, migrateTo } = await newWarehouse();
  await migrateTo(BEFORE);
  const insert = (message_id: string, daysAgo: number) =>
    client.insert({
      table: 'events_raw',
      format: 'JSONEachRow',
      values: [
        {
          event: 'Order Completed',
          message_id,
          timestamp: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, -1),
          received_at: new Date().toISOString().slice(0, -1),
          context:
            '{"os":{"name":"Android","version":15},"app":{"version":"2.1"},"campaign":"autumn"}',
        },
      ],
    });
  await insert('before', 0);
  await insert('before-and-late', 40);
  const statements = await statementsOf(FILE);
  for (const query of statements.slice(0, 2)) await client.command({ query });
  await migrateTo([...BEFORE, FILE]);
  await insert('before', 0);
  await insert('after', 0);
  const read = await rowsOf(
    client,
    `SELECT message_id, event, toTypeName(event) AS type, os_name, app_version, campaign_source, campaign_name
     FROM events WHERE event = 'Order Completed' ORDER BY message_id`,
  );
  expect(read).toEqual(
    ['after', 'before', 'before-and-late'].map(message_id => ({
      message_id,
      event: 'Order Completed',
      type: 'LowCardinality(String)',
      os_name: 'Android',
      app_version: '2.1',
      campaign_source: '',
      campaign_name: '',
    })),
  );
  await client.close();
});
