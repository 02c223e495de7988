// Polls Postgres for changes of a workspace: gateway events, each time their state changes, and
// attempts of webhook deliveries. The queries are small and indexed, and run only while the
// workspace has subscribers.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { numberedSql } from '../../platform/database/numbered-sql.ts';
import type { LiveDelivery, LiveGatewayEvent } from './live-item.ts';

export type RecordNews = {
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
const EVENTS = `
  SELECT id, type, family, state, coalesce(effect -> 'names', '[]') AS effects, error,
    received_at AS "receivedAt"
  FROM gateway_events
  WHERE workspace_id = $1 AND received_at > $3::timestamptz - interval '1 minute'
    AND (state <> 'RECEIVED' OR received_at < $3::timestamptz - interval '400 milliseconds')
  ORDER BY received_at DESC, id DESC LIMIT $2`;

async function latestEvents(
  em: EntityManager,
  workspaceId: string,
  nowMs: number,
): Promise<readonly LiveGatewayEvent[]> {
  const { rows } = await numberedSql(em).executeSql(EVENTS, [
    workspaceId,
    GATEWAY_EVENTS_MAX,
    new Date(nowMs).toISOString(),
  ]);
  return (rows as (Omit<LiveGatewayEvent, 'kind' | 'receivedAt'> & { receivedAt: string })[])
    .map(row => ({ ...row, kind: 'GATEWAY_EVENT' as const, receivedAt: new Date(row.receivedAt) }))
    .reverse();
}

/** `settled_at` is the start of a transaction. The overlap of 3 s finds attempts that
 * commit late. */
const ATTEMPTS = `
  SELECT delivery_id || ' ' || number AS key FROM webhook_attempts
  WHERE workspace_id = $1 AND settled_at > now() - interval '3 seconds'
  ORDER BY settled_at LIMIT $2`;

async function latestAttempts(em: EntityManager, workspaceId: string): Promise<readonly string[]> {
  const { rows } = await numberedSql(em).executeSql(ATTEMPTS, [workspaceId, ATTEMPTS_COUNTED_MAX]);
  return (rows as { key: string }[]).map(({ key }) => key);
}

const SHOWN = `
  SELECT delivery_id AS "deliveryId", endpoint_id AS "endpointId", event_id AS "eventId",
    event_type AS type, is_test AS "isTest", state, number AS attempt, attempt.cause, outcome, status,
    latency_ms AS "latencyMs", reason, attempted_at AS "attemptedAt"
  FROM unnest($2::uuid[], $3::int[]) AS asked (delivery_id, number)
    JOIN webhook_attempts attempt USING (delivery_id, number)
    JOIN webhook_deliveries delivery ON delivery.id = delivery_id
  WHERE attempt.workspace_id = $1 ORDER BY settled_at, delivery_id`;

async function attemptsOf(
  em: EntityManager,
  workspaceId: string,
  keys: readonly string[],
): Promise<readonly LiveDelivery[]> {
  if (keys.length === 0) return [];
  const pairs = keys.map(key => key.split(' ') as [string, string]);
  const { rows } = await numberedSql(em).executeSql(SHOWN, [
    workspaceId,
    pairs.map(([id]) => id),
    pairs.map(([, number]) => Number(number)),
  ]);
  return (rows as (Omit<LiveDelivery, 'kind' | 'attemptedAt'> & { attemptedAt: string })[]).map(
    row => ({ ...row, kind: 'DELIVERY' as const, attemptedAt: new Date(row.attemptedAt) }),
  );
}
