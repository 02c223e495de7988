// The reports as tables, for CSV. Columns have the names of the resource's properties where these
// exist.

import type { z } from 'zod';
import type { CsvTable } from '../platform/rest/csv.ts';
import type { trendsBody } from './insight.contract.ts';
import type {
  funnelDropOffsResource,
  funnelResource,
  retentionResource,
  trendsResource,
} from './insight.resource.ts';

/**
 * A row per line and bucket. The buckets of the previous period are matched by position. Where one period
 * has more buckets, the other half of the row is empty.
 */
export function trendsTable(
  { trends }: { readonly trends: z.output<typeof trendsResource> },
  { breakdowns }: Pick<z.output<typeof trendsBody>, 'breakdowns'>,
): CsvTable {
  const { bucket_starts: starts, previous_bucket_starts: startsBefore, lines } = trends;
  const divided = breakdowns ?? [];
  const buckets = Math.max(starts.length, startsBefore?.length ?? 0);
  return {
    columns: [
      'series',
      ...divided.map((_, at) => `breakdown_${at + 1}`),
      'is_rest',
      'bucket_start',
      'value',
      ...(startsBefore === null ? [] : ['previous_bucket_start', 'previous_value']),
    ],
    rows: lines.flatMap(line =>
      Array.from({ length: buckets }, (_, at) => [
        line.series,
        // The rest has no values.
        ...divided.map((_breakdown, nth) => line.values[nth] ?? null),
        line.is_rest,
        starts[at] ?? null,
        line.points[at] ?? null,
        ...(startsBefore === null
          ? []
          : [startsBefore[at] ?? null, line.previous_points?.[at] ?? null]),
      ]),
    ),
  };
}

/** A row per cohort and period; period 0 is the cohort's own. */
export function retentionTable({
  retention: { cohorts },
}: {
  readonly retention: z.output<typeof retentionResource>;
}): CsvTable {
  return {
    columns: ['cohort_start', 'people', 'period', 'period_start', 'returned'],
    rows: cohorts.flatMap(({ start, people, returned }, cohort) =>
      returned.map((count, period) => [
        start,
        people,
        period,
        // Each period is the start of a cohort.
        cohorts[cohort + period]!.start,
        count,
      ]),
    ),
  };
}

/** A row per line and step. */
export function funnelTable({
  funnel,
}: {
  readonly funnel: z.output<typeof funnelResource>;
}): CsvTable {
  return {
    columns: [
      'breakdown',
      'is_rest',
      'step',
      'people',
      'conversion_from_first',
      'conversion_from_previous',
      'median_seconds_from_previous',
    ],
    rows: funnel.lines.flatMap(({ value, is_rest, steps }) =>
      steps.map(step => [
        value,
        is_rest,
        step.step,
        step.people,
        step.conversion_from_first,
        step.conversion_from_previous,
        step.median_seconds_from_previous,
      ]),
    ),
  };
}

/** A row per person. */
export function dropOffsTable({ items }: z.output<typeof funnelDropOffsResource>): CsvTable {
  return { columns: ['person_id'], rows: items.map(person => [person]) };
}
