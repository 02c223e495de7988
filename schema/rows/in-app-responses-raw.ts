import { warehouseTable } from './table.ts';

/** All stored copies of responses to in-app campaigns; see migrations/clickhouse/0002_sdk_edge.sql
 * and 0005. */
export const IN_APP_RESPONSES_RAW = warehouseTable(4, 'in_app_responses_raw', {
  workspace_id: 'UUID',
  property_id: 'UUID',
  sdk_key_id: 'UUID',
  campaign_id: 'String',
  response_type: 'String',
  response_key: 'String',
  platform: 'String',
  user_id: 'String',
  contact_id: 'String',
  variant_id: 'String',
  payload: 'String',
  score_text: 'String',
  extra: 'String',
  received_at: "DateTime64(3, 'UTC')",
});
