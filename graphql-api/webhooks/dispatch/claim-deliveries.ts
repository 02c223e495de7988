// Finds endpoints with due deliveries and claims the deliveries by a lease. If a process dies,
// another one claims its deliveries after the lease.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Sealed } from '../../../schema/values/sealing.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { WebhookDelivery } from '../delivery.entity.ts';
import { POSTED_COLUMNS, type Posted } from './posted-body.ts';

export type DueEndpoint = {
  readonly id: string;
  /** Null if the endpoint was deleted. */
  readonly state: 'ENABLED' | 'DISABLED' | 'AUTO_DISABLED' | null;
  readonly isFailing: boolean;
};

/** `attempts` identifies the claim: a result is applied only if this number is unchanged. */
export type ClaimedDelivery = Posted &
  Pick<
    WebhookDelivery,
    'id' | 'endpointId' | 'workspaceId' | 'eventId' | 'cause' | 'isTest' | 'attempts' | 'step'
  > & { readonly requestId: string | null };

export type ClaimedEndpoint = {
  readonly id: string;
  readonly url: string;
  /** The current secret first. */
  readonly secrets: readonly Sealed[];
};

export type Allowance = {
  readonly endpointId: string;
  readonly max: number;
};

/** The limit per look. */
const ENDPOINTS_MAX = 5_000;
/** Sorts before every ID. */
export const FROM_THE_START = '00000000-0000-0000-0000-000000000000';
/** The limit per transaction. */
const CANCELLED_MAX = 1_000;

type Due = {
  readonly endpoints: readonly DueEndpoint[];
  /** The start of the next look, so that endpoints that are always due do not starve the others. */
  readonly next: string;
};

/**
 * Returns due endpoints with an ID above `after`. Steps from endpoint to endpoint in the index, and
 * reads only the earliest delivery of each.
 */
export async function dueEndpoints(
  em: EntityManager,
  after: string,
  max = ENDPOINTS_MAX,
): Promise<Due> {
  const endpoints = await rowsOf(
    em,
    sql<DueEndpoint>`
      WITH RECURSIVE waiting AS (
        (SELECT endpoint_id, next_attempt_at FROM webhook_deliveries
         WHERE state = 'PENDING' AND endpoint_id > ${after}
         ORDER BY endpoint_id, next_attempt_at LIMIT 1)
        UNION ALL
        SELECT next.endpoint_id, next.next_attempt_at FROM waiting CROSS JOIN LATERAL (
          SELECT endpoint_id, next_attempt_at FROM webhook_deliveries delivery
          WHERE state = 'PENDING' AND delivery.endpoint_id > waiting.endpoint_id
          ORDER BY endpoint_id, next_attempt_at LIMIT 1) AS next)
      SELECT waiting.endpoint_id AS id, endpoint.state,
             coalesce(endpoint.failing_since IS NOT NULL, false) AS is_failing
      FROM waiting LEFT JOIN webhook_endpoints endpoint ON endpoint.id = waiting.endpoint_id
      WHERE waiting.next_attempt_at <= now()
      ORDER BY waiting.endpoint_id LIMIT ${max}`,
  );
  return { endpoints, next: endpoints.length < max ? FROM_THE_START : endpoints.at(-1)!.id };
}

type Claimed = {
  readonly deliveries: readonly ClaimedDelivery[];
  readonly endpoints: ReadonlyMap<string, ClaimedEndpoint>;
};

export async function claimDeliveries(
  em: EntityManager,
  allowances: readonly Allowance[],
  { leaseMs, nowMs }: { readonly leaseMs: number; readonly nowMs: number },
): Promise<Claimed> {
  if (allowances.length === 0) return { deliveries: [], endpoints: new Map() };
  // A lost claim only means that the delivery is claimed again.
  await rowsOf(em, sql`SET LOCAL synchronous_commit = off`);
  const claimed = await claim(em, allowances, leaseMs);
  const lost = claimed.filter(({ payload }) => payload === null);
  // The event is older than the retention of events.
  if (lost.length > 0) await rowsOf(em, sql`${CANCEL} WHERE id = ANY(${lost.map(({ id }) => id)})`);
  const deliveries = claimed.filter(
    (delivery): delivery is ClaimedDelivery => delivery.payload !== null,
  );
  if (deliveries.length === 0) return { deliveries, endpoints: new Map() };
  const ids = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const endpoints = await rowsOf(
    em,
    sql<ClaimedEndpoint>`
      SELECT endpoint.id, endpoint.url,
             coalesce((SELECT json_agg(json_build_object('keyId', key_id, 'sealed', sealed)
                                       ORDER BY generation)
                       FROM webhook_secrets secret
                       WHERE secret.endpoint_id = endpoint.id
                         AND (expires_at IS NULL OR expires_at > ${new Date(nowMs)})), '[]')
               AS secrets
      FROM webhook_endpoints endpoint WHERE endpoint.id = ANY(${ids})`,
  );
  return { deliveries, endpoints: new Map(endpoints.map(endpoint => [endpoint.id, endpoint])) };
}

/** A claim that expired is recorded as an INTERRUPTED attempt, because it may have been sent. */
function claim(em: EntityManager, allowances: readonly Allowance[], leaseMs: number) {
  return rowsOf(
    em,
    sql<Omit<ClaimedDelivery, 'payload'> & { readonly payload: string | null }>`
      WITH due AS MATERIALIZED (
        SELECT delivery.* FROM unnest(
          ${allowances.map(({ endpointId }) => endpointId)}::uuid[],
          ${allowances.map(({ max }) => max)}::int[]) AS allowance (endpoint_id, max)
        JOIN webhook_endpoints endpoint ON endpoint.id = allowance.endpoint_id
        CROSS JOIN LATERAL (
          SELECT id, claimed_until FROM webhook_deliveries delivery
          WHERE delivery.endpoint_id = allowance.endpoint_id AND delivery.state = 'PENDING'
            AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
            AND (endpoint.state = 'ENABLED' OR is_test)
          ORDER BY next_attempt_at, id LIMIT allowance.max FOR UPDATE SKIP LOCKED) AS delivery),
      claimed AS (
        UPDATE webhook_deliveries delivery
        SET claimed_until = now() + ${leaseMs}::float8 * interval '1 millisecond',
            attempts = attempts + (due.claimed_until IS NOT NULL)::int,
            last_outcome = CASE WHEN due.claimed_until IS NULL THEN last_outcome ELSE 'INTERRUPTED' END
        FROM due WHERE delivery.id = due.id
        RETURNING delivery.*, due.claimed_until AS interrupted_at),
      interrupted AS (
        INSERT INTO webhook_attempts
          (delivery_id, workspace_id, number, cause, attempted_at, outcome, latency_ms, reason)
        SELECT id, workspace_id, attempts, cause, interrupted_at, 'INTERRUPTED', 0,
               'the sending process ended before a response arrived'
        FROM claimed WHERE interrupted_at IS NOT NULL)
      SELECT claimed.id, claimed.endpoint_id, claimed.workspace_id, claimed.event_id, claimed.cause,
             claimed.is_test, claimed.attempts, claimed.step, event.request_id, ${POSTED_COLUMNS}
      FROM claimed LEFT JOIN outbound_events event ON event.id = claimed.event_id
      ORDER BY claimed.next_attempt_at, claimed.id`,
  );
}

/**
 * Cancels deliveries to disabled and deleted endpoints, except for tests to disabled ones.
 * `isMore` is true if there may be more; then a test among them could only be found by searching.
 */
export async function cancelDeliveries(
  em: EntityManager,
  endpoints: readonly DueEndpoint[],
): Promise<{ readonly isMore: boolean }> {
  if (endpoints.length === 0) return { isMore: false };
  // Checks the state again: an endpoint enabled meanwhile must receive its new deliveries.
  const cancelled = await rowsOf(
    em,
    sql`${CANCEL} WHERE id IN (
          SELECT delivery.id FROM unnest(${endpoints.map(({ id }) => id)}::uuid[]) AS idle (id)
          LEFT JOIN webhook_endpoints endpoint ON endpoint.id = idle.id
          JOIN webhook_deliveries delivery ON delivery.endpoint_id = idle.id
          WHERE delivery.state = 'PENDING'
            AND (endpoint.id IS NULL OR (endpoint.state <> 'ENABLED' AND NOT is_test))
            AND (claimed_until IS NULL OR claimed_until < now())
          LIMIT ${CANCELLED_MAX} FOR UPDATE OF delivery SKIP LOCKED)
        RETURNING 1`,
  );
  return { isMore: cancelled.length === CANCELLED_MAX };
}

const CANCEL = sql`UPDATE webhook_deliveries
  SET state = 'CANCELLED', next_attempt_at = NULL, claimed_until = NULL, finished_at = now()`;

/** Renews older claims only. A claim that another process has taken over is not renewed. */
export async function renewClaims(
  em: EntityManager,
  claims: readonly Pick<ClaimedDelivery, 'id' | 'attempts'>[],
  leaseMs: number,
): Promise<void> {
  await rowsOf(
    em,
    sql`UPDATE webhook_deliveries delivery
        SET claimed_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM unnest(${claims.map(({ id }) => id)}::uuid[],
                    ${claims.map(({ attempts }) => attempts)}::int[]) AS claim (id, attempts)
        WHERE delivery.id = claim.id AND delivery.attempts = claim.attempts
          AND delivery.state = 'PENDING'
          AND delivery.claimed_until < now() + ${leaseMs}::float8 * 0.75 * interval '1 millisecond'`,
  );
}
