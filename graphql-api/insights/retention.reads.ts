// Retention: the number of people of each cohort with a returning event in later periods. Each person
// has two bit masks with a bit per period: one for the first event and one for the returning event.

import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import { bucketStarts } from '../platform/warehouse/bucket-starts.ts';
import { type ReportRange, requireRange, within } from '../platform/warehouse/report-range.ts';
import { type EventMatch, matchCondition, namesCondition } from './event-match.ts';
import { createStatement, PERSON, type Statement } from './statement.ts';

export type RetentionPeriod = 'day' | 'week';

/**
 * Whether a person is only in the cohort of their first period or in the cohorts of all periods
 * with a first event.
 */
export type RetentionKind = 'FIRST_TIME' | 'RECURRING';

export type RetentionInput = {
  readonly range: ReportRange;
  readonly period: RetentionPeriod;
  readonly timeZone: string;
  readonly firstEvent: EventMatch;
  readonly returningEvent: EventMatch;
  readonly kind: RetentionKind;
};

export type Retention = { readonly cohorts: readonly RetentionCohort[]; readonly sql: string };

export type RetentionCohort = {
  readonly start: Date;
  readonly people: number;
  /** One number per period, from the period of the cohort to the last one. */
  readonly returned: readonly number[];
};

/** The bits of a mask. */
const PERIODS_MAX = 64;
/** With partial periods at the ends, at most `PERIODS_MAX`. */
export const RETENTION_DAYS_MAX: Readonly<Record<RetentionPeriod, number>> = { day: 62, week: 366 };

type Row = {
  /** From 0. */
  readonly cohort: number;
  readonly people: number;
  readonly returned: readonly number[];
};

export async function retention(context: Context, input: RetentionInput): Promise<Retention> {
  const range = requireRange(input.range, RETENTION_DAYS_MAX[input.period]);
  const starts = bucketStarts(range, input.period, input.timeZone);
  if (starts.length > PERIODS_MAX)
    return reject('INVALID_RANGE', {
      field: ['range'],
      message: `range must have at most ${PERIODS_MAX} periods.`,
    });
  const statement = createStatement(range);
  const { rows, sql } = await statement.ask<Row>(context, retentionQuery(statement, input, starts));
  const byCohort = new Map(rows.map(row => [row.cohort, row]));
  const cohorts = starts.map((ms, cohort) => ({
    start: new Date(ms),
    people: byCohort.get(cohort)?.people ?? 0,
    returned: byCohort.get(cohort)?.returned ?? starts.slice(cohort).map(() => 0),
  }));
  return { cohorts, sql };
}

function retentionQuery(
  statement: Statement,
  { firstEvent, returningEvent, kind }: RetentionInput,
  starts: readonly number[],
): string {
  const seconds = statement.bind(
    'Array(UInt32)',
    starts.map(ms => ms / 1000),
  );
  const maskOf = (condition: string) =>
    `groupBitOr(if(${condition}, bitShiftLeft(toUInt64(1), period), toUInt64(0)))`;
  const cohorts = 'bitPositionsToArray(first_mask)';
  return `SELECT cohort, count() AS people, sumForEach(returns) AS returned
FROM (
  SELECT arrayJoin(${kind === 'FIRST_TIME' ? `arraySlice(${cohorts}, 1, 1)` : cohorts}) AS cohort,
         arrayMap(at -> bitTest(returning_mask, cohort + at), range(length(${seconds}) - cohort)) AS returns
  FROM (
    SELECT person, ${maskOf('is_first')} AS first_mask, ${maskOf('is_returning')} AS returning_mask
    FROM (
      SELECT ${PERSON} AS person,
             toUInt8(indexOf(${seconds}, roundDown(toUnixTimestamp(timestamp), ${seconds})) - 1) AS period,
             ${matchCondition(statement, firstEvent, ['firstEvent'])} AS is_first,
             ${matchCondition(statement, returningEvent, ['returningEvent'])} AS is_returning
      FROM events
      WHERE workspace_id = {workspaceId:UUID} AND ${within('timestamp')}
        AND ${namesCondition(statement, [firstEvent, returningEvent])}
    )
    WHERE person != ''
    GROUP BY person
    HAVING first_mask != 0
  )
)
GROUP BY cohort
ORDER BY cohort`;
}
