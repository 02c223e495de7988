import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { isSound, matchOf } from '../../../pieces/event-match/event-draft.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { TIME_ZONE } from '../whole-intervals.ts';
import type { RetentionSettings } from './retention-settings.ts';

export const RETENTION_REPORT = graphql(`
  query Retention(
    $range: ReportRange!, $period: RetentionPeriod!, $timeZone: String!, $firstEvent: EventMatch!,
    $returningEvent: EventMatch!, $kind: RetentionKind!
  ) {
    retention(
      range: $range, period: $period, timeZone: $timeZone, firstEvent: $firstEvent,
      returningEvent: $returningEvent, kind: $kind
    ) {
      cohorts { start people returned }
      sql
    }
  }
`);

export type Cohort = NonNullable<ResultOf<typeof RETENTION_REPORT>['retention']>['cohorts'][number];

export type RetentionVariables = VariablesOf<typeof RETENTION_REPORT>;

/** Undefined if something must be chosen first. */
export function retentionVariables(
  { firstEvent, returningEvent, kind, period }: RetentionSettings,
  range: Range | undefined,
): RetentionVariables | undefined {
  if (range === undefined || !isSound(firstEvent) || !isSound(returningEvent)) return undefined;
  return {
    range,
    period,
    timeZone: TIME_ZONE,
    firstEvent: matchOf(firstEvent),
    returningEvent: matchOf(returningEvent),
    kind,
  };
}
