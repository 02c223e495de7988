import { columnsOf, type Table } from './table.ts';

/** An event to send to webhook endpoints. Becomes a row of `outbound_events` in Postgres. */
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
    // The kind of ID that correlates reports of one delivery (NAMED_BY), the ID, and alternative
    // IDs.
    named: 'UInt16',
    name: 'UUID',
    other_names: 'String',
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
