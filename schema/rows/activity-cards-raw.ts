import { warehouseTable } from './table.ts';

/** All stored copies of activity feed cards; see migrations/clickhouse/0002_sdk_edge.sql. */
export const ACTIVITY_CARDS_RAW = warehouseTable(6, 'activity_cards_raw', {
  workspace_id: 'UUID',
  property_id: 'UUID',
  card_id: 'UUID',
  kind: 'String',
  channel: 'String',
  user_id: 'String',
  contact_id: 'String',
  anonymous_id: 'String',
  delivery_id: 'UUID',
  campaign_id: 'String',
  message_id: 'String',
  platform: 'String',
  details: 'String',
  received_at: "DateTime64(3, 'UTC')",
});
