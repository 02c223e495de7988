import type { Context } from '../platform/context.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { requireText } from '../platform/warehouse/event-filter.ts';
import {
  type ReportRange,
  requireRange,
  SERIES_DAYS_MAX,
} from '../platform/warehouse/report-range.ts';
import { dayParameters } from './campaign-report.reads.ts';

export type PushFunnelInput = {
  readonly range: ReportRange;
  /** Defaults to all campaigns. */
  readonly campaignId?: string | null | undefined;
};

export type PushFunnelDay = {
  readonly day: string;
  readonly platform: string;
  readonly reached: number;
  readonly clicked: number;
  readonly dismissed: number;
  readonly clickRate: number;
};

/** The results of push deliveries by platform and by the day (UTC) of their furthest status. */
export async function pushFunnel(
  context: Context,
  { range, campaignId }: PushFunnelInput,
): Promise<readonly PushFunnelDay[]> {
  const days = dayParameters(requireRange(range, SERIES_DAYS_MAX));
  requireText(campaignId);
  return ask<PushFunnelDay>(
    context,
    `SELECT toString(funnel.day) AS "day", funnel.platform AS "platform",
            sum(funnel.reached) AS "reached", sum(funnel.clicked) AS "clicked",
            sum(funnel.dismissed) AS "dismissed",
            round(sum(funnel.clicked) / sum(funnel.reached), 4) AS "clickRate"
     FROM push_funnel AS funnel
     WHERE workspace_id = {workspaceId:UUID} AND funnel.day BETWEEN {fromDay:Date} AND {toDay:Date}
       ${campaignId == null ? '' : 'AND campaign_id = {campaignId:String}'}
     GROUP BY funnel.day, funnel.platform ORDER BY funnel.day, funnel.platform`,
    { ...days, campaignId },
  );
}
