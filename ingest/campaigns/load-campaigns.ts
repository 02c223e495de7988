// Loads campaigns from Postgres. Constraints that the tables do not enforce are checked here, once,
// so that the worker threads can rely on them.

import { audienceSchema } from '../../schema/campaign/audience.ts';
import { type Campaign, type CampaignEnd, variantsSchema } from '../../schema/campaign/campaign.ts';
import { CAMPAIGN_BYTES, CAMPAIGN_BYTES_MAX } from '../../schema/campaign/campaign-bytes.ts';
import { SERVER } from '../postgres/server.ts';
import type { PostgresClient } from '../postgres/statement.ts';

export type ListedCampaign = {
  readonly id: string;
  readonly changedIn: string;
  readonly isLive: boolean;
};

type LoadedCampaign = {
  readonly id: string;
  readonly workspaceId: string;
  readonly changedIn: string;
  /** The approximate size in memory. */
  readonly bytes: number;
  /** Or why the campaign cannot be shown. */
  readonly loaded: Campaign<string> | string;
};

/**
 * Loads the campaigns written by transaction `since` or later, or all live campaigns, and returns
 * the transaction to continue from. One statement, so both are from one snapshot.
 */
export async function listCampaigns(
  client: PostgresClient,
  since: string | undefined,
  nowMs: number,
): Promise<{ server: string; since: string; listed: ListedCampaign[] }> {
  type Row = {
    server: string;
    next: string;
    id: string | null;
    changedIn: string;
    isLive: boolean;
  };
  const now = new Date(nowMs);
  const { rows } = await client.query<Row>(
    since === undefined
      ? { text: listStatement(IS_LIVE), values: [now] }
      : {
          text: listStatement('campaign.changed_in >= $2::xid8'),
          values: [now, since],
        },
  );
  const listed = rows.flatMap(({ id, changedIn, isLive }) =>
    id === null ? [] : [{ id, changedIn, isLive }],
  );
  return { server: rows[0]!.server, since: rows[0]!.next, listed };
}

/** Campaigns that are live. A campaign that has just ended is missing from the result. */
export async function loadCampaigns(
  client: PostgresClient,
  ids: string[],
  nowMs: number,
): Promise<LoadedCampaign[]> {
  const { rows } = await client.query<Row>({
    text: LOAD_STATEMENT,
    values: [new Date(nowMs), ids, CAMPAIGN_BYTES_MAX],
  });
  return rows.map(({ id, workspaceId, changedIn, bytes, ...row }) => {
    const loaded =
      bytes > CAMPAIGN_BYTES_MAX
        ? `its content, variants and audience total ${bytes} bytes, more than ${CAMPAIGN_BYTES_MAX}`
        : toCampaign({ id, workspaceId, changedIn, bytes, ...row });
    return { id, workspaceId, changedIn, bytes: bytes + ROW_BYTES, loaded };
  });
}

const IS_LIVE = `campaign.status = 'LIVE'
  AND (campaign.ends_at IS NULL OR campaign.ends_at > $1::timestamptz)`;

const listStatement = (condition: string) => `
  SELECT ${SERVER} AS server, pg_snapshot_xmin(snapshot)::text AS next, campaign.id,
         campaign.changed_in::text AS "changedIn", ${IS_LIVE} AS "isLive"
  FROM pg_current_snapshot() AS snapshot
  LEFT JOIN campaigns AS campaign ON ${condition}`;

const LOAD_STATEMENT = `
  SELECT campaign.id, workspace_id AS "workspaceId", changed_in::text AS "changedIn", name, type,
         surfaces, priority, consent_purpose AS "consentPurpose", ends_on AS "endsOn",
         (extract(epoch FROM starts_at) * 1000)::float8 AS "startsAtMs",
         (extract(epoch FROM ends_at) * 1000)::float8 AS "endsAtMs",
         (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
         total_max AS "totalMax", window_max AS "windowMax", window_seconds AS "windowSeconds",
         interval_seconds_min AS "intervalSecondsMin", is_cap_exempt AS "isCapExempt", size.bytes,
         CASE WHEN size.bytes <= $3 THEN content::text END AS content,
         CASE WHEN size.bytes <= $3 THEN variants END AS variants,
         CASE WHEN size.bytes <= $3 THEN audience END AS audience
  FROM campaigns AS campaign
  CROSS JOIN LATERAL (
    SELECT ${CAMPAIGN_BYTES} AS bytes
  ) AS size
  WHERE campaign.id = ANY($2::uuid[]) AND ${IS_LIVE}`;

/** The size of the fields whose text is not counted. */
const ROW_BYTES = 1_024;

type Row = {
  readonly id: string;
  readonly workspaceId: string;
  readonly changedIn: string;
  readonly name: string;
  readonly type: string;
  readonly surfaces: string[];
  readonly priority: number;
  readonly consentPurpose: string;
  readonly endsOn: CampaignEnd[];
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  readonly totalMax: number | null;
  readonly windowMax: number | null;
  readonly windowSeconds: number | null;
  readonly intervalSecondsMin: number | null;
  readonly isCapExempt: boolean;
  readonly bytes: number;
  readonly content: string;
  readonly variants: unknown;
  readonly audience: unknown;
};

function toCampaign(row: Row): Campaign<string> | string {
  const variants = variantsSchema.safeParse(row.variants);
  if (!variants.success) return `its variants are not valid: ${variants.error.message}`;
  const audience = audienceSchema.nullable().safeParse(row.audience);
  if (!audience.success) return `its audience is not valid: ${audience.error.message}`;
  const { totalMax, windowMax, windowSeconds, intervalSecondsMin } = row;
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    type: row.type,
    status: 'LIVE',
    surfaces: row.surfaces,
    content: row.content,
    priority: row.priority,
    startsAtMs: row.startsAtMs,
    endsAtMs: row.endsAtMs,
    audience: audience.data,
    consentPurpose: row.consentPurpose,
    endsOn: row.endsOn,
    caps: { totalMax, windowMax, windowSeconds, intervalSecondsMin },
    isCapExempt: row.isCapExempt,
    variants: variants.data.map(({ id, weight, content }) => ({
      id,
      weight,
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
    })),
    createdAtMs: row.createdAtMs,
  };
}
