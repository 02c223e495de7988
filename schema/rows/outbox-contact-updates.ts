import { columnsOf, type Table } from './table.ts';

/** Traits from an `identify` call. Becomes a row of `contacts` in Postgres. */
export const OUTBOX_CONTACT_UPDATES: Table = {
  id: 16,
  name: 'outbox_contact_updates',
  destination: 'outbox',
  encoderVersion: 1,
  partitionExpression: null,
  columns: columnsOf({
    workspace_id: 'UUID',
    user_id: 'String',
    anonymous_id: 'String',
    traits: 'String',
    occurred_at: "DateTime64(3, 'UTC')",
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
