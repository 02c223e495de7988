// Writes the results of attempts in one statement, and updates the health of their endpoints.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { disableEndpoints } from './disable-endpoints.ts';
import type { Attempted } from './send-webhook.ts';

export type Result = {
  readonly delivery: ClaimedDelivery;
  readonly attempted: Attempted;
  readonly attemptedAtMs: number;
  /** Undefined if no further attempt follows. */
  readonly retryDelayMs: number | undefined;
};

/** A claim that is returned unchanged, to be claimed again after a delay. */
export type Release = {
  readonly delivery: ClaimedDelivery;
  readonly delayMs: number;
};

type SettleDeps = Pick<AppDeps, 'clock' | 'newId'>;

type Settled = {
  readonly disabled: readonly { readonly endpointId: string; readonly reason: string }[];
};

export async function settleDeliveries(
  { em, deps }: { readonly em: EntityManager; readonly deps: SettleDeps },
  results: readonly Result[],
): Promise<Settled> {
  await writeResults(em, results);
  const health = healthOf(results);
  if (health.size === 0) return { disabled: [] };
  const ids = [...health.keys()];
  await writeHealth(em, health);
  const gone = ids.filter(id => health.get(id) === 'GONE');
  const failing = ids.filter(id => health.get(id) === 'FAILS');
  if (gone.length === 0 && failing.length === 0) return { disabled: [] };
  return { disabled: await disableEndpoints({ em, deps }, { gone, failing }) };
}

/** A result whose claim has expired is ignored, unless the receiver accepted the delivery. */
async function writeResults(em: EntityManager, results: readonly Result[]): Promise<void> {
  const attempted = <K extends keyof Attempted>(name: K) =>
    results.map(result => result.attempted[name] ?? null);
  await rowsOf(
    em,
    sql`
      WITH settled AS (
        UPDATE webhook_deliveries delivery
        SET state = CASE WHEN result.outcome = 'DELIVERED' THEN 'DELIVERED'
                         WHEN retry_delay_ms IS NULL THEN 'FAILED' ELSE 'PENDING' END,
            attempts = delivery.attempts + 1,
            step = delivery.step + (result.outcome NOT IN ('DELIVERED', 'INTERRUPTED'))::int,
            next_attempt_at = CASE WHEN result.outcome <> 'DELIVERED'
              THEN now() + retry_delay_ms * interval '1 millisecond' END,
            finished_at = CASE WHEN result.outcome = 'DELIVERED' OR retry_delay_ms IS NULL
              THEN now() END,
            claimed_until = NULL, last_status = result.status, last_outcome = result.outcome,
            last_latency_ms = result.latency_ms
        FROM unnest(${results.map(({ delivery }) => delivery.id)}::uuid[],
                    ${results.map(({ delivery }) => delivery.attempts)}::int[],
                    ${attempted('outcome')}::text[], ${attempted('status')}::int[],
                    ${attempted('latencyMs')}::int[], ${attempted('reason')}::text[],
                    ${results.map(({ attemptedAtMs }) => new Date(attemptedAtMs))}::timestamptz[],
                    ${results.map(({ retryDelayMs }) => retryDelayMs ?? null)}::float8[])
          AS result (id, attempts, outcome, status, latency_ms, reason, attempted_at, retry_delay_ms)
        WHERE delivery.id = result.id AND delivery.state = 'PENDING'
          AND (delivery.attempts = result.attempts OR result.outcome = 'DELIVERED')
        RETURNING delivery.id, delivery.workspace_id, delivery.attempts, delivery.cause,
                  result.attempted_at, result.outcome, result.status, result.latency_ms, result.reason)
      INSERT INTO webhook_attempts
        (delivery_id, workspace_id, number, cause, attempted_at, outcome, status, latency_ms, reason)
      SELECT * FROM settled`,
  );
}

type Health = 'WORKS' | 'FAILS' | 'GONE';

/** The health by endpoint ID. Tests and interrupted attempts do not affect it. */
function healthOf(results: readonly Result[]): ReadonlyMap<string, Health> {
  const health = new Map<string, Health>();
  for (const { delivery, attempted } of results) {
    if (delivery.isTest || attempted.outcome === 'INTERRUPTED') continue;
    const { endpointId } = delivery;
    if (attempted.outcome === 'GONE') health.set(endpointId, 'GONE');
    else if (attempted.outcome === 'DELIVERED' && health.get(endpointId) !== 'GONE')
      health.set(endpointId, 'WORKS');
    else if (!health.has(endpointId)) health.set(endpointId, 'FAILS');
  }
  return health;
}

/** Writes only changes, because all deliveries of an endpoint would contend for its row. */
async function writeHealth(em: EntityManager, health: ReadonlyMap<string, Health>): Promise<void> {
  await rowsOf(
    em,
    sql`
      WITH changed AS (
        SELECT endpoint.id, health.works
        FROM unnest(${[...health.keys()]}::uuid[],
                    ${[...health.values()].map(one => one === 'WORKS')}::boolean[])
          AS health (id, works)
        JOIN webhook_endpoints endpoint ON endpoint.id = health.id
        WHERE (works AND (failing_since IS NOT NULL OR last_success_at IS NULL
                          OR last_success_at < now() - interval '5 seconds'))
          OR (NOT works AND failing_since IS NULL)
        ORDER BY endpoint.id FOR NO KEY UPDATE OF endpoint)
      UPDATE webhook_endpoints endpoint
      SET last_success_at = CASE WHEN works THEN now() ELSE last_success_at END,
          failing_since = CASE WHEN works THEN NULL ELSE coalesce(failing_since, now()) END
      FROM changed WHERE endpoint.id = changed.id`,
  );
}

export async function releaseDeliveries(
  em: EntityManager,
  releases: readonly Release[],
): Promise<void> {
  await rowsOf(
    em,
    sql`UPDATE webhook_deliveries delivery
        SET claimed_until = NULL,
            next_attempt_at = CASE WHEN release.delay_ms > 0
              THEN now() + release.delay_ms * interval '1 millisecond' ELSE next_attempt_at END
        FROM unnest(${releases.map(({ delivery }) => delivery.id)}::uuid[],
                    ${releases.map(({ delivery }) => delivery.attempts)}::int[],
                    ${releases.map(({ delayMs }) => delayMs)}::float8[])
          AS release (id, attempts, delay_ms)
        WHERE delivery.id = release.id AND delivery.attempts = release.attempts
          AND delivery.state = 'PENDING'`,
  );
}
