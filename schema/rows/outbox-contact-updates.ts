import { outboxTable } from './table.ts';

/** Traits from an `identify` call. Becomes a row of `contacts` in Postgres. */
export const OUTBOX_CONTACT_UPDATES = outboxTable(16, 'outbox_contact_updates', {
  workspace_id: 'UUID',
  user_id: 'String',
  anonymous_id: 'String',
  traits: 'String',
  occurred_at: "DateTime64(3, 'UTC')",
});
