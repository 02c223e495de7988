import { warehouseTable } from './table.ts';

/** Links the deliveries of a device or a contact ID to a person; see
 * migrations/clickhouse/0006_delivery_links.sql. */
export const DELIVERY_LINKS_RAW = warehouseTable(8, 'delivery_links_raw', {
  workspace_id: 'UUID',
  delivery_id: 'UUID',
  person_delivery_id: 'UUID',
  rank: 'UInt16',
  received_at: "DateTime64(3, 'UTC')",
});
