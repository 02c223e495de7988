import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
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
  const now = new Date(deps.clock.nowMs());
  const isLittle = body.length * events.length <= BODIES_BYTES_MAX;
  const rows = events.map((event, index) => ({
    ...event,
    id: deps.newId(),
    hasBody: isLittle || index === 0,
  }));
  // One parameter for all events: a statement has at most 65,535.
  const inserted = await deps.database.asSystem(em =>
    rowsOf(
      em,
      sql`INSERT INTO approval_events (id, channel, source, event_key, upstream_name, upstream_id, word,
            reason, health_until, occurred_at, body, next_attempt_at, created_at)
          SELECT id, channel, 'WEBHOOK', "eventKey", "upstreamName", "upstreamId", word, reason,
            "healthUntil", "occurredAt",
            CASE WHEN "hasBody" THEN ${body}::bytea ELSE '' END, ${now}::timestamptz, ${now}::timestamptz
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS event(id uuid, channel text,
            "eventKey" text, "upstreamName" text, "upstreamId" text, word text, reason text,
            "healthUntil" timestamptz, "occurredAt" timestamptz, "hasBody" boolean)
          ORDER BY "eventKey"
          ON CONFLICT (channel, event_key) DO NOTHING RETURNING 1`,
    ),
  );
  return inserted.length;
}
