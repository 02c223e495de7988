import { outboxTable } from './table.ts';

/** An in-app impression or interaction of a person. Becomes a row of `exposures` in Postgres. */
export const OUTBOX_EXPOSURES = outboxTable(17, 'outbox_exposures', {
  exposure_id: 'UUID',
  workspace_id: 'UUID',
  user_id: 'String',
  campaign_id: 'String',
  event_type: 'String',
  occurred_at: "DateTime64(3, 'UTC')",
});
