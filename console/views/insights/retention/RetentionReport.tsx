import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Card } from '../../../pieces/Card.tsx';
import { Chart } from '../../../pieces/Chart.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPercent, inPlainWords } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { Report } from '../Report.tsx';
import { SqlOf } from '../SqlOf.tsx';
import { isOver } from '../whole-intervals.ts';
import { CohortGrid } from './CohortGrid.tsx';
import { meanReturn } from './mean-return.ts';
import { type Cohort, RETENTION_REPORT, type RetentionVariables } from './retention-query.ts';
import type { Period } from './retention-settings.ts';

type RetentionReportProps = {
  readonly variables: RetentionVariables;
  readonly period: Period;
  readonly range: Range;
};

export function RetentionReport({ variables, period, range }: RetentionReportProps) {
  const asked = useQuery({ query: RETENTION_REPORT, variables });
  return (
    <Report asked={asked}>
      {({ retention }) => {
        if (retention === null) return null;
        const { cohorts, sql } = retention;
        if (cohorts.every(({ people }) => people === 0)) return <Nobody />;
        return (
          <Stack gap="lg">
            <Cohorts cohorts={cohorts} period={period} range={range} />
            <SqlOf sql={sql} />
          </Stack>
        );
      }}
    </Report>
  );
}

type CohortsProps = {
  readonly cohorts: readonly Cohort[];
  readonly period: Period;
  readonly range: Range;
};

function Cohorts({ cohorts, period, range }: CohortsProps) {
  const isPeriodOver = (at: number) =>
    at < cohorts.length && isOver(cohorts[at]!.start, period, range);
  const mean = meanReturn(cohorts, isPeriodOver);
  const word = inPlainWords(period);
  return (
    <>
      <Card title="People who returned">
        <Chart
          label={`Percentage of people who returned, by ${word.toLowerCase()} after the first event`}
          names={mean.map((_, since) => `${word} ${since}`)}
          series={[
            {
              name: 'Returned',
              values: mean.map(share => (share === null ? null : share * 100)),
              tone: 'brand',
            },
          ]}
          isUnknown={mean.map(share => share === null)}
          inWords={percent => inPercent(percent / 100)}
        />
      </Card>
      <Card title={`By ${word.toLowerCase()} of the first event`} isFlush>
        <CohortGrid cohorts={cohorts} word={word} isPeriodOver={isPeriodOver} />
      </Card>
    </>
  );
}

function Nobody() {
  return (
    <Card>
      <Empty title="No first events in this time range">
        Choose a longer time range or another event.
      </Empty>
    </Card>
  );
}
