import { outboxTable } from './table.ts';

/** An event to send to webhook endpoints. Becomes a row of `outbound_events` in Postgres. */
export const OUTBOX_OUTBOUND_EVENTS = outboxTable(
  18,
  'outbox_outbound_events',
  {
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
  },
  { encoderVersion: 2 },
);
