import { columnsOf, type Table } from './table.ts';

/** All stored copies of activity feed cards; see migrations/clickhouse/0002_sdk_edge.sql. */
export const ACTIVITY_CARDS_RAW: Table = {
  id: 6,
  name: 'activity_cards_raw',
  destination: 'warehouse',
  encoderVersion: 1,
  partitionExpression: null,
  columns: columnsOf({
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
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
