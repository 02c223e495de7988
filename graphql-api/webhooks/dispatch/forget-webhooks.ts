/** As long as operators may look, and send again. */
export const WEBHOOK_DAYS = 30;

/** Each removes some of what is older than a moment; to be repeated until nothing is left. */
export const FORGET_WEBHOOKS = {
  /** With their attempts. */
  deliveries: `
    WITH old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE finished_at < ? LIMIT ? FOR UPDATE SKIP LOCKED),
    attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM old))
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM old)`,
  /** Not while there is anything to tell of what became of them, or they are still to be sent. */
  events: `
    DELETE FROM outbound_events WHERE id IN (
      SELECT id FROM outbound_events event
      WHERE created_at < ? AND fanned_out_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id) LIMIT ?)`,
  /** Reports of one delivery come within days of one another. */
  names: `
    DELETE FROM delivery_names WHERE name IN (
      SELECT name FROM delivery_names WHERE created_at < ? LIMIT ?)`,
  /** By when they stopped to count. */
  secrets: `
    DELETE FROM webhook_secrets WHERE (endpoint_id, generation) IN (
      SELECT endpoint_id, generation FROM webhook_secrets WHERE expires_at < ? LIMIT ?)`,
} as const;
