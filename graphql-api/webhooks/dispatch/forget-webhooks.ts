import { sql } from '../../platform/database/kysely.ts';

/** The retention, during which deliveries can be viewed and replayed. */
export const WEBHOOK_DAYS = 30;

/** Each statement deletes a batch older than a given time. Repeat it until nothing is deleted. */
export const FORGET_WEBHOOKS = {
  /** Deletes deliveries with their attempts. */
  deliveries: (before: Date, limit: number) => sql`
    WITH old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE finished_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED),
    attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM old))
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM old)`,
  /** Keeps events that have deliveries or are not fanned out yet. */
  events: (before: Date, limit: number) => sql`
    DELETE FROM outbound_events WHERE id IN (
      SELECT id FROM outbound_events event
      WHERE created_at < ${before} AND fanned_out_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id) LIMIT ${limit})`,
  /** The names deduplicate reports of one delivery, which arrive within days. */
  names: (before: Date, limit: number) => sql`
    DELETE FROM delivery_names WHERE name IN (
      SELECT name FROM delivery_names WHERE created_at < ${before} LIMIT ${limit})`,
  /** By the time they expired. */
  secrets: (before: Date, limit: number) => sql`
    DELETE FROM webhook_secrets WHERE (endpoint_id, generation) IN (
      SELECT endpoint_id, generation FROM webhook_secrets
      WHERE expires_at < ${before} LIMIT ${limit})`,
} as const;
