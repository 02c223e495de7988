/** The retention, during which deliveries can be viewed and replayed. */
export const WEBHOOK_DAYS = 30;

/** Each statement deletes a batch older than a given time. Repeat it until nothing is deleted. */
export const FORGET_WEBHOOKS = {
  /** Deletes deliveries with their attempts. */
  deliveries: `
    WITH old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE finished_at < ? LIMIT ? FOR UPDATE SKIP LOCKED),
    attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM old))
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM old)`,
  /** Keeps events that have deliveries or are not fanned out yet. */
  events: `
    DELETE FROM outbound_events WHERE id IN (
      SELECT id FROM outbound_events event
      WHERE created_at < ? AND fanned_out_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id) LIMIT ?)`,
  /** The names deduplicate reports of one delivery, which arrive within days. */
  names: `
    DELETE FROM delivery_names WHERE name IN (
      SELECT name FROM delivery_names WHERE created_at < ? LIMIT ?)`,
  /** By the time they expired. */
  secrets: `
    DELETE FROM webhook_secrets WHERE (endpoint_id, generation) IN (
      SELECT endpoint_id, generation FROM webhook_secrets WHERE expires_at < ? LIMIT ?)`,
} as const;
