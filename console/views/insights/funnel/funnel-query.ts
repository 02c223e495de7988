import { graphql, type ResultOf, type VariablesOf } from '../../../graph/graphql.ts';
import { isSound, matchOf } from '../../../pieces/event-match/event-draft.ts';
import { propertyOf } from '../../../pieces/event-match/property-text.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { chosenSteps, type FunnelSettings, STEPS_MIN } from './funnel-settings.ts';

export const FUNNEL_REPORT = graphql(`
  query Funnel(
    $range: ReportRange!, $steps: [EventMatch!]!, $exclusions: [EventMatch!], $windowSeconds: Int!,
    $breakdown: EventProperty
  ) {
    funnel(
      range: $range, steps: $steps, exclusions: $exclusions, windowSeconds: $windowSeconds,
      breakdown: $breakdown
    ) {
      lines {
        value isRest
        steps {
          step people conversionFromFirst conversionFromPrevious medianSecondsFromPrevious
        }
      }
      sql
    }
  }
`);

export const DROP_OFFS = graphql(`
  query FunnelDropOffs(
    $range: ReportRange!, $steps: [EventMatch!]!, $exclusions: [EventMatch!], $windowSeconds: Int!,
    $step: Int!, $after: String
  ) {
    funnelDropOffs(
      range: $range, steps: $steps, exclusions: $exclusions, windowSeconds: $windowSeconds,
      step: $step, first: 50, after: $after
    ) { personIds hasNextPage endCursor }
  }
`);

export type FunnelLine = NonNullable<ResultOf<typeof FUNNEL_REPORT>['funnel']>['lines'][number];

export type FunnelVariables = VariablesOf<typeof FUNNEL_REPORT>;

/** Undefined if something must be chosen first. */
export function funnelVariables(
  settings: FunnelSettings,
  range: Range | undefined,
): FunnelVariables | undefined {
  const steps = chosenSteps(settings);
  const exclusions = settings.exclusions.filter(({ name }) => name.trim() !== '');
  if (range === undefined || steps.length < STEPS_MIN) return undefined;
  if (![...steps, ...exclusions].every(isSound)) return undefined;
  const breakdown = propertyOf(settings.breakdown);
  return {
    range,
    steps: steps.map(matchOf),
    ...(exclusions.length > 0 && { exclusions: exclusions.map(matchOf) }),
    windowSeconds: settings.windowSeconds,
    ...(breakdown && { breakdown }),
  };
}
