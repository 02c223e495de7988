// The campaigns that an SDK would receive for a person now. Uses the same person query and the same
// gates as ingest, on the live campaigns.

import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { audienceSchema } from '../../schema/campaign/audience.ts';
import {
  type Campaign,
  type CampaignEnd,
  LIVE_CAMPAIGNS_MAX,
} from '../../schema/campaign/campaign.ts';
import {
  compareForDisplay,
  type Gated,
  type GateReason,
  selectCampaigns,
  toGated,
  toViewer,
} from '../../schema/campaign/campaign-gates.ts';
import { chooseVariant } from '../../schema/campaign/choose-variant.ts';
import { readPersons } from '../../schema/campaign/read-person.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';

/** The same limit as in ingest's response. */
export const SHOWN_MAX = 50;
/** The list is for inspection, so it is not paged. */
export const SKIPPED_MAX = 50;

export type PreviewQuestion = {
  /** Empty for an unidentified person. */
  readonly userId: string;
  /** Undefined for all surfaces. */
  readonly surface: string | undefined;
};

export type Preview = {
  readonly shown: readonly { readonly campaignId: string; readonly variantId: string | null }[];
  readonly skipped: readonly { readonly campaignId: string; readonly reason: GateReason }[];
  readonly skippedCount: number;
};

export async function previewCampaigns(
  context: Context,
  { userId, surface }: PreviewQuestion,
): Promise<Preview> {
  const workspaceId = workspaceOf(context.viewer);
  const nowMs = context.deps.clock.nowMs();
  const em = await context.read();
  const campaigns = (await liveCampaigns(em, workspaceId)).flatMap(toShowable);
  const client = {
    query: async ({ text, values }: pg.QueryConfig) => numberedSql(em).executeSql(text, values),
  };
  const [known] =
    userId === ''
      ? []
      : await readPersons(client as unknown as Pick<pg.ClientBase, 'query'>, [
          { workspaceId, contactId: '', userId, nowMs },
        ]);
  const viewer = toViewer(known?.person, surface, nowMs, known?.caps ?? NO_CAPS);
  const { shown, skipped } = selectCampaigns(campaigns, viewer);
  return {
    shown: shown.slice(0, SHOWN_MAX).map(({ id, variants }) => ({
      campaignId: id,
      variantId: chooseVariant(id, variants, known?.person.userId)?.id ?? null,
    })),
    skipped: skipped
      .toSorted((a, b) => compareForDisplay(a.campaign, b.campaign))
      .slice(0, SKIPPED_MAX)
      .map(({ campaign, reason }) => ({ campaignId: campaign.id, reason })),
    skippedCount: skipped.length,
  };
}

const NO_CAPS = { dailyMax: null, intervalSecondsMin: null };

type Variant = { readonly id: string; readonly weight: number };
type Showable = Gated & { readonly variants: readonly Variant[] };

/** Skips campaigns with an invalid audience, as ingest does. Such rows were not written by an
 * action. */
function toShowable(row: LiveCampaign): Showable[] {
  const audience = audienceSchema.nullable().safeParse(row.audience);
  if (!audience.success) return [];
  return [{ ...toGated({ ...row, audience: audience.data }), variants: row.variants }];
}

type LiveCampaign = Omit<Campaign<null>, 'variants' | 'audience'> & {
  readonly endsOn: readonly CampaignEnd[];
  readonly audience: unknown;
  readonly variants: readonly Variant[];
};

/** Leaves out the content, which no gate uses. */
function liveCampaigns(em: EntityManager, workspaceId: string): Promise<LiveCampaign[]> {
  return rowsOf(
    em,
    sql<LiveCampaign>`
      SELECT id, workspace_id, name, type, status, surfaces, NULL AS content, priority,
        (extract(epoch FROM starts_at) * 1000)::float8 AS starts_at_ms,
        (extract(epoch FROM ends_at) * 1000)::float8 AS ends_at_ms,
        (extract(epoch FROM created_at) * 1000)::float8 AS created_at_ms,
        audience, consent_purpose, ends_on,
        jsonb_build_object('totalMax', total_max, 'windowMax', window_max, 'windowSeconds',
          window_seconds, 'intervalSecondsMin', interval_seconds_min) AS caps,
        is_cap_exempt,
        coalesce((
          SELECT jsonb_agg(jsonb_build_object('id', one -> 'id', 'weight', one -> 'weight') ORDER BY n)
          FROM jsonb_array_elements(variants) WITH ORDINALITY AS each (one, n)
        ), '[]') AS variants
      FROM campaigns WHERE workspace_id = ${workspaceId} AND status = 'LIVE'
      ORDER BY created_at, id LIMIT ${LIVE_CAMPAIGNS_MAX}`,
  );
}
