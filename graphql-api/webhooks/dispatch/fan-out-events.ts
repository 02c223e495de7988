// Creates a delivery for each endpoint that subscribes to an event's type, in the transaction that
// marks the event as fanned out. Thus no delivery is lost or duplicated.

import type { AppDeps } from '../../platform/context.ts';
import { numberedSql } from '../../platform/database/numbered-sql.ts';

/** The limit per transaction. With the maximum number of endpoints these are 10,000 deliveries. */
const EVENTS_MAX = 500;
/** An endpoint that has been disabled for longer gets no deliveries to replay. */
const MISSED_DAYS = 30;

export type FannedOut = {
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
    const { executeSql } = numberedSql(em);
    const { rows } = await executeSql(WAITING, [EVENTS_MAX, new Date(clock.nowMs()).toISOString()]);
    const pairs = rows as Pair[];
    if (pairs.length === 0) return { due: 0, isMore: false };
    const eventIds = [...new Set(pairs.map(({ eventId }) => eventId))];
    const made = pairs.filter(({ endpointId }) => endpointId !== null);
    const column = <K extends keyof Pair>(name: K) => made.map(pair => pair[name]);
    await executeSql(made.length === 0 ? NOTED : MADE, [
      eventIds,
      ...(made.length === 0
        ? []
        : [
            made.map(() => newId()),
            column('workspaceId'),
            column('endpointId'),
            column('eventId'),
            column('type'),
            column('isEnabled'),
          ]),
    ]);
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

const WAITING = `
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
      LIMIT (SELECT greatest(1, $1 / count(*)) FROM waiting) FOR UPDATE SKIP LOCKED) AS event),
  taken AS MATERIALIZED (SELECT * FROM turns ORDER BY place LIMIT $1)
  SELECT taken.id AS "eventId", taken.workspace_id AS "workspaceId", taken.type,
         endpoint.id AS "endpointId", endpoint.state = 'ENABLED' AS "isEnabled"
  FROM taken LEFT JOIN webhook_endpoints endpoint
    ON endpoint.workspace_id = taken.workspace_id
      AND (cardinality(endpoint.event_types) = 0 OR taken.type = ANY(endpoint.event_types)
           OR split_part(taken.type, '.', 1) || '.*' = ANY(endpoint.event_types))
      AND (endpoint.state = 'ENABLED'
           OR endpoint.disabled_at > $2::timestamptz - make_interval(days => ${MISSED_DAYS}))`;

const NOTED = 'UPDATE outbound_events SET fanned_out_at = now() WHERE id = ANY($1::uuid[])';

/** Deliveries to a disabled endpoint are stored as CANCELLED, so that they can be replayed. */
const MADE = `
  WITH noted AS (${NOTED})
  INSERT INTO webhook_deliveries
    (id, workspace_id, endpoint_id, event_id, event_type, state, next_attempt_at, finished_at)
  SELECT id, workspace_id, endpoint_id, event_id, event_type,
         CASE WHEN is_enabled THEN 'PENDING' ELSE 'CANCELLED' END,
         CASE WHEN is_enabled THEN now() END, CASE WHEN NOT is_enabled THEN now() END
  FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
    AS made (id, workspace_id, endpoint_id, event_id, event_type, is_enabled)
  ON CONFLICT (endpoint_id, event_id) DO NOTHING`;
