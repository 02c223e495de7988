import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { countReplay, IS_WAITING } from './dispatch/queue-replay.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

export const webhookEndpoints = workspaceReads(WebhookEndpoint);

/**
 * When the signing secrets were created, and when the previous ones stop signing, by the IDs of the
 * endpoints.
 */
export async function webhookSecretsByEndpoints(context: Context, ids: readonly string[]) {
  const now = new Date(context.deps.clock.nowMs());
  return kysely(await context.read())
    .selectFrom('webhook_secrets as current')
    .leftJoin('webhook_secrets as previous', join =>
      join
        .onRef('previous.endpointId', '=', 'current.endpointId')
        .on('previous.generation', '=', 'PREVIOUS')
        .on('previous.expiresAt', '>', now),
    )
    .select([
      'current.endpointId as id',
      'current.createdAt as setAt',
      'previous.expiresAt as previousUntil',
    ])
    .where('current.endpointId', 'in', ids)
    .where('current.workspaceId', '=', workspaceOf(context.viewer))
    .where('current.generation', '=', 'CURRENT')
    .execute();
}

export type WebhookCounts = {
  readonly id: string;
  readonly since: Date;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly retrying: number;
  readonly cancelled: number;
};

/** Keeps the query below a second for twenty endpoints. */
export const COUNTED_MAX = 10_000;
const COUNTED_HOURS = 24;

/** The number of recent deliveries of each endpoint by state, without tests, which are not resent. */
export async function webhookCountsByEndpoints(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookCounts[]> {
  const since = new Date(context.deps.clock.nowMs() - COUNTED_HOURS * 3600 * 1000);
  const rows = await rowsOf(
    await context.read(),
    sql<Omit<WebhookCounts, 'since'> & { readonly counted: number; readonly oldest: Date | null }>`
      SELECT endpoint.id, latest.*
      FROM webhook_endpoints endpoint CROSS JOIN LATERAL (
        SELECT count(*)::integer AS counted, min(created_at) AS oldest,
          count(*) FILTER (WHERE state = 'DELIVERED')::integer AS delivered,
          count(*) FILTER (WHERE state = 'FAILED')::integer AS failed,
          count(*) FILTER (WHERE state = 'PENDING')::integer AS pending,
          count(*) FILTER (WHERE state = 'PENDING' AND last_outcome <> 'DELIVERED')::integer
            AS retrying,
          count(*) FILTER (WHERE state = 'CANCELLED')::integer AS cancelled
        FROM (
          SELECT state, last_outcome, created_at FROM webhook_deliveries
          WHERE endpoint_id = endpoint.id AND created_at >= ${since} AND NOT is_test
          ORDER BY created_at DESC LIMIT ${COUNTED_MAX}
        ) AS delivery
      ) AS latest
      WHERE endpoint.id = ANY (${ids}) AND endpoint.workspace_id = ${workspaceOf(context.viewer)}`,
  );
  return rows.map(({ counted, oldest, ...counts }) => ({
    ...counts,
    since: counted === COUNTED_MAX ? oldest! : since,
  }));
}

export type WebhookWaiting = {
  readonly id: string;
  readonly count: number;
  readonly nextAttemptAt: Date | null;
};

/** The deliveries of each endpoint that wait for their next attempt. */
export async function webhookWaitingByEndpoints(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookWaiting[]> {
  return rowsOf(
    await context.read(),
    sql<WebhookWaiting>`
      SELECT endpoint.id, waiting.*
      FROM webhook_endpoints endpoint CROSS JOIN LATERAL (
        SELECT count(*)::integer AS count, min(next_attempt_at) AS next_attempt_at
        FROM (
          SELECT next_attempt_at FROM webhook_deliveries
          WHERE endpoint_id = endpoint.id AND ${IS_WAITING} AND NOT is_test
          ORDER BY next_attempt_at LIMIT ${COUNTED_MAX}
        ) AS delivery
      ) AS waiting
      WHERE endpoint.id = ANY (${ids}) AND endpoint.workspace_id = ${workspaceOf(context.viewer)}`,
  );
}

type ReplayRange = {
  readonly since?: Date | null | undefined;
  readonly includeDelivered: boolean;
};

/** The number of deliveries that a replay of an endpoint would queue now, at most REPLAY_MAX. */
export async function webhookReplayCount(
  context: Context,
  { id, workspaceId }: Pick<WebhookEndpoint, 'id' | 'workspaceId'>,
  { since, includeDelivered }: ReplayRange,
): Promise<number> {
  const { count } = await countReplay(await context.read(), {
    workspaceId,
    endpointId: id,
    ...(since != null && { from: since.toISOString() }),
    isFailedOnly: !includeDelivered,
  });
  return count;
}
