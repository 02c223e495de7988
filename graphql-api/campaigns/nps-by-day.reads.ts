import type { Context } from '../platform/context.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireRange, SERIES_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import { type CampaignReportInput, campaignParameters } from './campaign-report.reads.ts';

export type NpsDay = {
  readonly day: string;
  readonly responses: number;
  readonly promoters: number;
  readonly passives: number;
  readonly detractors: number;
  readonly averageScore: number;
  readonly nps: number;
};

/** The responses to an NPS campaign by day (UTC). Days without responses are left out. */
export async function npsByDay(
  context: Context,
  input: CampaignReportInput,
): Promise<readonly NpsDay[]> {
  const range = requireRange(input.range, SERIES_DAYS_MAX);
  return ask<NpsDay>(
    context,
    `SELECT toString(day) AS "day", responses, promoters, passives, detractors,
            average_score AS "averageScore", nps
     FROM nps_by_day AS answers
     WHERE workspace_id = {workspaceId:UUID} AND campaign_id = {campaignId:String}
       AND answers.day BETWEEN {fromDay:Date} AND {toDay:Date}
     ORDER BY day`,
    campaignParameters(range, input.campaignId),
  );
}
