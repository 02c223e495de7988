// Reports on campaigns by day (UTC). They cover the days that the range touches, because the views
// count whole days; days without data are left out.

import type { Context } from '../platform/context.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
} from '../platform/warehouse/report-range.ts';

type ReportInput = {
  readonly range: ReportRange;
  readonly campaignId?: string | null | undefined;
};

export type CampaignReportInput = ReportInput & { readonly campaignId: string };

export type CampaignFunnelDay = {
  readonly day: string;
  /** Empty if the campaign has no variants. */
  readonly variantId: string;
  readonly impressions: number;
  readonly clicks: number;
  readonly dismissals: number;
  readonly peopleReached: number;
  readonly peopleClicked: number;
  readonly clickRate: number | null;
};

/** The results of an in-app campaign by variant and day. */
export function campaignFunnel(
  context: Context,
  input: CampaignReportInput,
): Promise<readonly CampaignFunnelDay[]> {
  return askByDay(
    context,
    input,
    `SELECT toString(day) AS "day", variant_id, impressions, clicks, dismissals, people_reached,
            people_clicked, click_rate
     FROM in_app_campaign_funnel AS report
     WHERE ${DAYS} AND campaign_id = {campaignId:String}
     ORDER BY day, variant_id`,
  );
}

export type NpsDay = {
  readonly day: string;
  readonly responses: number;
  readonly promoters: number;
  readonly passives: number;
  readonly detractors: number;
  readonly averageScore: number;
  readonly nps: number;
};

export function npsByDay(context: Context, input: CampaignReportInput): Promise<readonly NpsDay[]> {
  return askByDay(
    context,
    input,
    `SELECT toString(day) AS "day", responses, promoters, passives, detractors, average_score, nps
     FROM nps_by_day AS report
     WHERE ${DAYS} AND campaign_id = {campaignId:String}
     ORDER BY day`,
  );
}

export type PushFunnelDay = {
  readonly day: string;
  readonly platform: string;
  readonly reached: number;
  readonly clicked: number;
  readonly dismissed: number;
  readonly clickRate: number;
};

/**
 * The results of push deliveries, of one campaign or all, by platform and by the day of their
 * furthest status.
 */
export function pushFunnel(
  context: Context,
  input: ReportInput,
): Promise<readonly PushFunnelDay[]> {
  return askByDay(
    context,
    input,
    `SELECT toString(report.day) AS "day", report.platform AS "platform",
            sum(report.reached) AS "reached", sum(report.clicked) AS "clicked",
            sum(report.dismissed) AS "dismissed",
            round(sum(report.clicked) / sum(report.reached), 4) AS "clickRate"
     FROM push_funnel AS report
     WHERE ${DAYS} ${input.campaignId == null ? '' : 'AND campaign_id = {campaignId:String}'}
     GROUP BY report.day, report.platform ORDER BY report.day, report.platform`,
  );
}

const DAYS =
  'workspace_id = {workspaceId:UUID} AND report.day BETWEEN {fromDay:Date} AND {toDay:Date}';

/** With the days that the range touches as {fromDay} and {toDay}. */
export function askByDay<Row>(
  context: Context,
  { range, campaignId }: ReportInput,
  query: string,
): Promise<Row[]> {
  const { fromMs, toMs } = requireRange(range, SERIES_DAYS_MAX);
  requireText(campaignId);
  return ask<Row>(context, query, { fromDay: dayOf(fromMs), toDay: dayOf(toMs - 1), campaignId });
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
