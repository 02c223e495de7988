import type { Context } from '../platform/context.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { workspaceOf } from '../platform/permit.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';

export async function webhookEndpointsPage(
  context: Context,
  page: PageRequest,
): Promise<Page<WebhookEndpoint>> {
  const workspaceId = workspaceOf(context.viewer);
  return readPage(await context.read(), WebhookEndpoint, { workspaceId }, page);
}

export async function webhookEndpointsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookEndpoint[]> {
  const workspaceId = workspaceOf(context.viewer);
  return (await context.read()).find(WebhookEndpoint, { id: [...ids], workspaceId });
}

export type WebhookSecretShown = {
  readonly id: string;
  readonly setAt: Date;
  /** When the previous secret stops signing. */
  readonly previousUntil: Date | null;
};

/** The creation times of the signing secrets, by the IDs of the endpoints. */
export async function webhookSecretsByEndpoints(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookSecretShown[]> {
  const em = await context.read();
  const now = new Date(context.deps.clock.nowMs());
  const { rows } = await numberedSql(em).executeSql(SECRETS, [
    ids,
    workspaceOf(context.viewer),
    now,
  ]);
  return (rows as SecretRow[]).map(({ id, setAt, previousUntil }) => ({
    id,
    setAt: new Date(setAt),
    previousUntil: previousUntil === null ? null : new Date(previousUntil),
  }));
}

type SecretRow = {
  readonly id: string;
  readonly setAt: string;
  readonly previousUntil: string | null;
};

const SECRETS = `
  SELECT current.endpoint_id AS id, current.created_at AS "setAt",
    previous.expires_at AS "previousUntil"
  FROM webhook_secrets current
  LEFT JOIN webhook_secrets previous ON previous.endpoint_id = current.endpoint_id
    AND previous.generation = 'PREVIOUS' AND previous.expires_at > $3
  WHERE current.endpoint_id = ANY ($1::uuid[]) AND current.workspace_id = $2
    AND current.generation = 'CURRENT'`;

export type WebhookCounts = {
  readonly id: string;
  readonly since: Date;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly cancelled: number;
};

/** Keeps the query below a second for twenty endpoints. */
export const COUNTED_MAX = 10_000;
const COUNTED_HOURS = 24;

/** The number of recent deliveries of each endpoint by state. */
export async function webhookCountsByEndpoints(
  context: Context,
  ids: readonly string[],
): Promise<readonly WebhookCounts[]> {
  const em = await context.read();
  const since = new Date(context.deps.clock.nowMs() - COUNTED_HOURS * 3600 * 1000);
  const { rows } = await numberedSql(em).executeSql(COUNTS, [
    ids,
    workspaceOf(context.viewer),
    since,
    COUNTED_MAX,
  ]);
  return (rows as CountsRow[]).map(({ counted, oldest, ...counts }) => ({
    ...counts,
    since: counted === COUNTED_MAX ? new Date(oldest!) : since,
  }));
}

type CountsRow = Omit<WebhookCounts, 'since'> & {
  readonly counted: number;
  readonly oldest: string | null;
};

const COUNTS = `
  SELECT endpoint.id, latest.*
  FROM webhook_endpoints endpoint CROSS JOIN LATERAL (
    SELECT count(*)::integer AS counted, min(created_at) AS oldest,
      count(*) FILTER (WHERE state = 'DELIVERED')::integer AS delivered,
      count(*) FILTER (WHERE state = 'FAILED')::integer AS failed,
      count(*) FILTER (WHERE state = 'PENDING')::integer AS pending,
      count(*) FILTER (WHERE state = 'CANCELLED')::integer AS cancelled
    FROM (
      SELECT state, created_at FROM webhook_deliveries
      WHERE endpoint_id = endpoint.id AND created_at >= $3
      ORDER BY created_at DESC LIMIT $4
    ) AS delivery
  ) AS latest
  WHERE endpoint.id = ANY ($1::uuid[]) AND endpoint.workspace_id = $2`;
