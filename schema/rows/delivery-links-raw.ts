import { columnsOf, type Table } from './table.ts';

/** Links deliveries to a device or a contact ID with a person; see
 * migrations/clickhouse/0006_delivery_links.sql. */
export const DELIVERY_LINKS_RAW: Table = {
  id: 8,
  name: 'delivery_links_raw',
  destination: 'warehouse',
  encoderVersion: 1,
  partitionExpression: null,
  columns: columnsOf({
    workspace_id: 'UUID',
    delivery_id: 'UUID',
    person_delivery_id: 'UUID',
    rank: 'UInt16',
    received_at: "DateTime64(3, 'UTC')",
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
