// The tables and views that an analyst login can read. Each has a column workspace_id, used by the row policies,
// unless a list states otherwise. A test fails for a table or view of the migrations that is in none of these lists.

/** The tables that hold rows. On a cluster each has a Distributed table beside it, `<name>_all`. */
export const STORED_TABLES: readonly string[] = [
  'events_raw',
  'events_late',
  'rejected_events_raw',
  'in_app_events_raw',
  'in_app_responses_raw',
  'deliveries_raw',
  'delivery_links_raw',
  'activity_cards_raw',
  'send_audits_raw',
];

/** Views read the tables with the permissions of the user of the query. */
export const VIEWS: readonly string[] = [
  'events',
  'events_open',
  'events_arriving',
  'events_stitched',
  'identified_devices',
  'rejected_events',
  'rejected_events_by_hash',
  'in_app_events',
  'in_app_responses',
  'deliveries',
  'delivery_links',
  'activity_cards',
  'send_audits',
  'in_app_campaign_funnel',
  'nps_by_day',
  'push_funnel',
  'event_id_collisions',
];

/** What `events` and `event_id_collisions` read on each shard of a cluster. */
export const VIEWS_OF_SHARDS: readonly string[] = [
  'events_of_shard',
  'event_id_collisions_of_shard',
];

/** How far events are settled, the same for all workspaces. The view `events` reads it. */
export const UNWALLED_TABLES: readonly string[] = ['events_settling', 'events_settled'];

/** Hidden from analysts: tables without data of a workspace. */
export const HIDDEN_TABLES: readonly string[] = ['schema_migrations'];
