import { columnsOf, type Table } from './table.ts';

/** All stored copies of responses to in-app campaigns; see migrations/clickhouse/0002_sdk_edge.sql
 * and 0005. */
export const IN_APP_RESPONSES_RAW: Table = {
  id: 4,
  name: 'in_app_responses_raw',
  destination: 'warehouse',
  encoderVersion: 1,
  partitionExpression: null,
  columns: columnsOf({
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
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
