import type { Context } from '../platform/context.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireRange, SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { type CampaignReportInput, campaignParameters } from './campaign-report.reads.ts';

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

/** The results of an in-app campaign by variant and day (UTC). Days without data are left out. */
export async function campaignFunnel(
  context: Context,
  input: CampaignReportInput,
): Promise<readonly CampaignFunnelDay[]> {
  const range = requireRange(input.range, SERIES_DAYS_MAX);
  return ask<CampaignFunnelDay>(
    context,
    `SELECT toString(day) AS "day", variant_id AS "variantId", impressions, clicks, dismissals,
            people_reached AS "peopleReached", people_clicked AS "peopleClicked",
            click_rate AS "clickRate"
     FROM in_app_campaign_funnel AS funnel
     WHERE workspace_id = {workspaceId:UUID} AND campaign_id = {campaignId:String}
       AND funnel.day BETWEEN {fromDay:Date} AND {toDay:Date}
     ORDER BY day, variant_id`,
    campaignParameters(range, input.campaignId),
  );
}
