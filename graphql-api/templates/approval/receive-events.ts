import type { AppDeps } from '../../platform/context.ts';
import type { UpstreamEvent } from './read-webhook.ts';

/**
 * The limit for storing the whole body with each event of a delivery. Above it, only the first
 * event stores the body.
 */
const BODIES_BYTES_MAX = 4_000_000;

/**
 * Stores the events in the inbox, deduplicated, before they are processed. Returns the number of
 * new events.
 */
export async function receiveApprovalEvents(
  deps: Pick<AppDeps, 'database' | 'newId' | 'clock'>,
  events: readonly UpstreamEvent[],
  body: Buffer,
): Promise<number> {
  if (events.length === 0) return 0;
  const now = new Date(deps.clock.nowMs()).toISOString();
  const isLittle = body.length * events.length <= BODIES_BYTES_MAX;
  const rows = events.map((event, index) => ({
    id: deps.newId(),
    channel: event.channel,
    event_key: event.eventKey,
    upstream_name: event.upstreamName,
    upstream_id: event.upstreamId,
    word: event.word,
    reason: event.reason,
    health_until: event.healthUntil?.toISOString() ?? null,
    occurred_at: event.occurredAt.toISOString(),
    has_body: isLittle || index === 0,
  }));
  const inserted = await deps.database.asSystem(em =>
    em.execute<unknown[]>(
      `INSERT INTO approval_events (id, channel, source, event_key, upstream_name, upstream_id, word,
         reason, health_until, occurred_at, body, next_attempt_at, created_at)
       SELECT id, channel, 'WEBHOOK', event_key, upstream_name, upstream_id, word, reason,
         health_until, occurred_at,
         CASE WHEN has_body THEN decode(?, 'base64') ELSE '' END, ?, ?
       FROM jsonb_to_recordset(?::jsonb) AS event(id uuid, channel text, event_key text,
         upstream_name text, upstream_id text, word text, reason text, health_until timestamptz,
         occurred_at timestamptz, has_body boolean)
       ORDER BY event_key
       ON CONFLICT (channel, event_key) DO NOTHING RETURNING 1`,
      [body.toString('base64'), now, now, JSON.stringify(rows)],
    ),
  );
  return inserted.length;
}
