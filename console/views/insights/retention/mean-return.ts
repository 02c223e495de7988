import type { Cohort } from './retention-query.ts';

/**
 * The share of people who returned, by the number of periods since the first event: of all cohorts whose
 * period is over. Null where there is none, or nobody in it.
 */
export function meanReturn(
  cohorts: readonly Cohort[],
  isPeriodOver: (at: number) => boolean,
): readonly (number | null)[] {
  return cohorts.map((_, since) => {
    const over = cohorts.filter(
      ({ returned }, at) => since < returned.length && isPeriodOver(at + since),
    );
    const people = over.reduce((sum, cohort) => sum + cohort.people, 0);
    const returned = over.reduce((sum, cohort) => sum + (cohort.returned[since] ?? 0), 0);
    return people === 0 ? null : returned / people;
  });
}
