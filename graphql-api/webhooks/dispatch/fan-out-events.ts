// Creates a delivery for each endpoint that subscribes to an event's type, in the transaction that
// marks the event as fanned out. Thus no delivery is lost or duplicated.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';

/** The limit per transaction. With the maximum number of endpoints these are 10,000 deliveries. */
const EVENTS_MAX = 500;
/** An endpoint that has been disabled for longer gets no deliveries to replay. */
const MISSED_DAYS = 30;

type FannedOut = {
  /** The number of deliveries that are due now. */
  readonly due: number;
  readonly isMore: boolean;
};

/** Each transaction is shared by all workspaces with waiting events. */
export function fanOutEvents({
  clock,
  database,
  newId,
}: Pick<AppDeps, 'clock' | 'database' | 'newId'>): Promise<FannedOut> {
  return database.asSystem(async em => {
    const pairs = await waitingPairs(em, new Date(clock.nowMs()));
    if (pairs.length === 0) return { due: 0, isMore: false };
    const eventIds = [...new Set(pairs.map(({ eventId }) => eventId))];
    const made = pairs.filter(({ endpointId }) => endpointId !== null);
    const noted = sql`UPDATE outbound_events SET fanned_out_at = now() WHERE id = ANY(${eventIds})`;
    const column = <K extends keyof Pair>(name: K) => made.map(pair => pair[name]);
    // Deliveries to a disabled endpoint are stored as CANCELLED, so that they can be replayed.
    const insert = sql`
      WITH noted AS (${noted})
      INSERT INTO webhook_deliveries
        (id, workspace_id, endpoint_id, event_id, event_type, state, next_attempt_at, finished_at)
      SELECT id, workspace_id, endpoint_id, event_id, event_type,
             CASE WHEN is_enabled THEN 'PENDING' ELSE 'CANCELLED' END,
             CASE WHEN is_enabled THEN now() END, CASE WHEN NOT is_enabled THEN now() END
      FROM unnest(${made.map(() => newId())}::uuid[], ${column('workspaceId')}::uuid[],
                  ${column('endpointId')}::uuid[], ${column('eventId')}::uuid[],
                  ${column('type')}::text[], ${column('isEnabled')}::boolean[])
        AS made (id, workspace_id, endpoint_id, event_id, event_type, is_enabled)
      ON CONFLICT (endpoint_id, event_id) DO NOTHING`;
    await rowsOf(em, made.length === 0 ? noted : insert);
    return {
      due: made.filter(({ isEnabled }) => isEnabled).length,
      // The rounded shares may add up to less than the limit.
      isMore: eventIds.length >= EVENTS_MAX / 2,
    };
  });
}

type Pair = {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly type: string;
  /** Null if no endpoint subscribes to the type. */
  readonly endpointId: string | null;
  readonly isEnabled: boolean | null;
};

/** Locks the events. Each workspace gets an equal share. */
function waitingPairs(em: EntityManager, now: Date) {
  return rowsOf(
    em,
    sql<Pair>`
      WITH RECURSIVE waiting AS (
        (SELECT workspace_id FROM outbound_events WHERE fanned_out_at IS NULL
         ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT next.workspace_id FROM waiting CROSS JOIN LATERAL (
          SELECT workspace_id FROM outbound_events event
          WHERE fanned_out_at IS NULL AND event.workspace_id > waiting.workspace_id
          ORDER BY workspace_id LIMIT 1) AS next),
      turns AS MATERIALIZED (
        SELECT event.id, event.workspace_id, event.type,
               row_number() OVER (PARTITION BY event.workspace_id
                                  ORDER BY event.created_at, event.id) AS place
        FROM waiting CROSS JOIN LATERAL (
          SELECT id, workspace_id, type, created_at FROM outbound_events event
          WHERE event.workspace_id = waiting.workspace_id AND fanned_out_at IS NULL
          ORDER BY created_at, id
          LIMIT (SELECT greatest(1, ${EVENTS_MAX} / count(*)) FROM waiting)
          FOR UPDATE SKIP LOCKED) AS event),
      taken AS MATERIALIZED (SELECT * FROM turns ORDER BY place LIMIT ${EVENTS_MAX})
      SELECT taken.id AS event_id, taken.workspace_id, taken.type, endpoint.id AS endpoint_id,
             endpoint.state = 'ENABLED' AS is_enabled
      FROM taken LEFT JOIN webhook_endpoints endpoint
        ON endpoint.workspace_id = taken.workspace_id
          AND (cardinality(endpoint.event_types) = 0 OR taken.type = ANY(endpoint.event_types)
               OR split_part(taken.type, '.', 1) || '.*' = ANY(endpoint.event_types))
          AND (endpoint.state = 'ENABLED'
               OR endpoint.disabled_at > ${now}::timestamptz - make_interval(days => ${MISSED_DAYS}))`,
  );
}
