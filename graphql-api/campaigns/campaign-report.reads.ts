import { requireText } from '../platform/warehouse/event-filter.ts';
import type { RangeMs, ReportRange } from '../platform/warehouse/report-range.ts';

export type CampaignReportInput = {
  readonly range: ReportRange;
  readonly campaignId: string;
};

/** The days (UTC) that the range touches. The views count by whole days. */
export function dayParameters({ fromMs, toMs }: RangeMs) {
  return { fromDay: dayOf(fromMs), toDay: dayOf(toMs - 1) };
}

export function campaignParameters(range: RangeMs, campaignId: string) {
  requireText(campaignId);
  return { ...dayParameters(range), campaignId };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
