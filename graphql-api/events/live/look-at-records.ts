// Polls Postgres for changes of a workspace: gateway events, each time their state changes, and
// attempts of webhook deliveries. The queries are small and indexed, and run only while the
// workspace has subscribers.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { LiveDelivery, LiveGatewayEvent } from './live-item.ts';

type RecordNews = {
  readonly gatewayEvents: readonly LiveGatewayEvent[];
  readonly deliveries: readonly LiveDelivery[];
  readonly deliveriesNotShown: number;
};

export type RecordsOf = { readonly organizationId: string; readonly workspaceId: string };

/** Per interval of half a second. About the same rate as the maximum for accepted events. */
const ATTEMPTS_SHOWN_MAX = 25;
/** More than a process can send per interval. */
const ATTEMPTS_COUNTED_MAX = 5_000;
const GATEWAY_EVENTS_MAX = 200;

/** Returns the polling function. Its first call returns nothing and records the existing rows. */
export function createLook(
  { database, clock }: Pick<AppDeps, 'database' | 'clock'>,
  whose: RecordsOf,
): () => Promise<RecordNews> {
  let seenEvents: ReadonlySet<string> | undefined;
  let seenAttempts: ReadonlySet<string> | undefined;
  return async () => {
    const open = await database.openRead(whose.organizationId);
    try {
      const events = await latestEvents(open.em, whose.workspaceId, clock.nowMs());
      const eventKeys = events.map(({ id, state }) => `${id} ${state}`);
      const attempts = await latestAttempts(open.em, whose.workspaceId);
      const fresh = seenAttempts && attempts.filter(key => !seenAttempts?.has(key));
      const shown = fresh?.slice(0, ATTEMPTS_SHOWN_MAX) ?? [];
      const news = {
        gatewayEvents: seenEvents
          ? events.filter((_, index) => !seenEvents?.has(eventKeys[index]!))
          : [],
        deliveries: await attemptsOf(open.em, whose.workspaceId, shown),
        deliveriesNotShown: (fresh?.length ?? 0) - shown.length,
      };
      seenEvents = new Set(eventKeys);
      seenAttempts = new Set(attempts);
      return news;
    } finally {
      await open.close();
    }
  };
}

/** Skips events received within the last 400 ms that are not processed yet; the next poll returns
 * them, usually processed. */
async function latestEvents(
  em: EntityManager,
  workspaceId: string,
  nowMs: number,
): Promise<readonly LiveGatewayEvent[]> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const rows = await rowsOf(
    em,
    sql<LiveGatewayEvent>`
      SELECT 'GATEWAY_EVENT' AS kind, id, type, family, state,
        coalesce(effect -> 'names', '[]') AS effects, error, received_at
      FROM gateway_events
      WHERE workspace_id = ${workspaceId} AND received_at > ${now} - interval '1 minute'
        AND (state <> 'RECEIVED' OR received_at < ${now} - interval '400 milliseconds')
      ORDER BY received_at DESC, id DESC LIMIT ${GATEWAY_EVENTS_MAX}`,
  );
  return rows.reverse();
}

/** `settled_at` is the start of a transaction. The overlap of 3 s finds attempts that
 * commit late. */
async function latestAttempts(em: EntityManager, workspaceId: string): Promise<readonly string[]> {
  const rows = await rowsOf(
    em,
    sql<{ readonly key: string }>`
      SELECT delivery_id || ' ' || number AS key FROM webhook_attempts
      WHERE workspace_id = ${workspaceId} AND settled_at > now() - interval '3 seconds'
      ORDER BY settled_at LIMIT ${ATTEMPTS_COUNTED_MAX}`,
  );
  return rows.map(({ key }) => key);
}

async function attemptsOf(
  em: EntityManager,
  workspaceId: string,
  keys: readonly string[],
): Promise<readonly LiveDelivery[]> {
  if (keys.length === 0) return [];
  const pairs = keys.map(key => key.split(' ') as [string, string]);
  return rowsOf(
    em,
    sql<LiveDelivery>`
      SELECT 'DELIVERY' AS kind, delivery_id, endpoint_id, event_id, event_type AS type, is_test,
        state, number AS attempt, attempt.cause, outcome, status, latency_ms, reason, attempted_at
      FROM unnest(${pairs.map(([id]) => id)}::uuid[],
                  ${pairs.map(([, number]) => Number(number))}::int[]) AS asked (delivery_id, number)
        JOIN webhook_attempts attempt USING (delivery_id, number)
        JOIN webhook_deliveries delivery ON delivery.id = delivery_id
      WHERE attempt.workspace_id = ${workspaceId} ORDER BY settled_at, delivery_id`,
  );
}
