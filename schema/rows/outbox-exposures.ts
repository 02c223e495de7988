import { columnsOf, type Table } from './table.ts';

/** An in-app impression or interaction of a person. Becomes a row of `exposures` in Postgres. */
export const OUTBOX_EXPOSURES: Table = {
  id: 17,
  name: 'outbox_exposures',
  destination: 'outbox',
  encoderVersion: 1,
  partitionExpression: null,
  columns: columnsOf({
    exposure_id: 'UUID',
    workspace_id: 'UUID',
    user_id: 'String',
    campaign_id: 'String',
    event_type: 'String',
    occurred_at: "DateTime64(3, 'UTC')",
    batch_id: 'UUID',
    batch_row: 'UInt32',
  }),
};
