import { warehouseTable } from './table.ts';

/** All stored copies of rejected events; see migrations/clickhouse/0001_events.sql. */
export const REJECTED_EVENTS_RAW = warehouseTable(2, 'rejected_events_raw', {
  workspace_id: 'UUID',
  property_id: 'UUID',
  sdk_key_id: 'UUID',
  endpoint: 'String',
  code: 'String',
  message: 'String',
  message_id: 'String',
  batch_index: 'UInt16',
  body: 'String',
  sent_at_text: 'String',
  batch_context: 'String',
  received_at: "DateTime64(3, 'UTC')",
});
