import { warehouseTable } from './table.ts';

/** All stored copies of send audits; see migrations/clickhouse/0004_send_audits.sql. */
export const SEND_AUDITS_RAW = warehouseTable(7, 'send_audits_raw', {
  workspace_id: 'UUID',
  send_id: 'UUID',
  enrolment_id: 'UUID',
  journey_id: 'UUID',
  node_id: 'String',
  template_id: 'UUID',
  version_id: 'UUID',
  version_number: 'UInt32',
  pinned_version_id: 'UUID',
  channel: 'String',
  language: 'String',
  reason: 'String',
  contact_id: 'UUID',
  user_id: 'String',
  sent_at: "DateTime64(3, 'UTC')",
  received_at: "DateTime64(3, 'UTC')",
});
