import { warehouseTable } from './table.ts';

/** All stored copies of in-app campaign feedback; see migrations/clickhouse/0002_sdk_edge.sql and
 * 0005. */
export const IN_APP_EVENTS_RAW = warehouseTable(3, 'in_app_events_raw', {
  workspace_id: 'UUID',
  property_id: 'UUID',
  sdk_key_id: 'UUID',
  campaign_id: 'String',
  event_type: 'String',
  event_key: 'String',
  user_id: 'String',
  anonymous_id: 'String',
  platform: 'String',
  variant_id: 'String',
  step_execution_id: 'String',
  step_id: 'String',
  extra: 'String',
  received_at: "DateTime64(3, 'UTC')",
});
