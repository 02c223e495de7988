import { columnsOf, type Table } from './table.ts';

/** What a workspace’s webhook endpoints are to be told; becomes a row of outbound_events in Postgres. */
export const OUTBOX_OUTBOUND_EVENTS: Table = {
  id: 18,
  name: 'outbox_outbound_events',
  destination: 'outbox',
  encoderVersion: 2,
  partitionExpression: null,
  columns: columnsOf({
    event_id: 'UUID',
    workspace_id: 'UUID',
    type: 'String',
    payload: 'String',
    occurred_at: "DateTime64(3, 'UTC')",
    // How reports of one delivery find one another (NAMED_BY), under which id, and under which others.
    named: 'UInt16',
    name: 'UUID',
    other_names: 'String',
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
