import { warehouseTable } from './table.ts';

/** Status reports on deliveries; see migrations/clickhouse/0002_sdk_edge.sql. */
export const DELIVERIES_RAW = warehouseTable(5, 'deliveries_raw', {
  workspace_id: 'UUID',
  property_id: 'UUID',
  sdk_key_id: 'UUID',
  channel: 'String',
  delivery_id: 'UUID',
  status: 'String',
  rank: 'UInt16',
  event_type: 'String',
  platform: 'String',
  campaign_id: 'String',
  message_id: 'String',
  user_id: 'String',
  contact_id: 'String',
  anonymous_id: 'String',
  metadata: 'String',
  extra: 'String',
  received_at: "DateTime64(3, 'UTC')",
});
