// Trends of random events and inputs equal those of a slow reference implementation.

import { expect, test } from 'vitest';
import { trends } from '../../../graphql-api/insights/trend.reads.ts';
import { rows as rowsOf } from '../../harness/warehouse.ts';
import { contextOf, useDeps } from '../harness/deps.ts';
import { DATA_SETS, forRandomData, RUNS_TIMEOUT, SEED } from './property-runs.ts';
import { randomTrends, trendLines } from './trend.reference.ts';

const deps = useDeps();

type SqlRow = {
  series: number;
  line: number;
  period: number;
  bucket: number;
  value: number | null;
};

test(`trends equal a reference (TEST_SEED=${SEED}, ${DATA_SETS} data sets)`, {
  timeout: RUNS_TIMEOUT,
}, async () => {
  let linesSeen = 0;
  await forRandomData(async (random, { tenant, rows }) => {
    const input = randomTrends(random);
    const report = await trends(contextOf(deps(), tenant), input);
    const [starts, startsBefore] = [report.bucketStarts, report.previousBucketStarts].map(dates =>
      dates?.map(date => date.getTime()),
    );
    const expected = trendLines(rows, input, { starts: starts!, startsBefore });
    expect(report.lines, JSON.stringify(input)).toEqual(
      expected.map(line => expect.objectContaining(line)),
    );
    expect(report.lines).toHaveLength(expected.length);
    linesSeen += expected.length;

    // The SQL returned with the report returns the same points.
    const pasted = await rowsOf<SqlRow>(report.sql);
    const points = pasted.filter(({ bucket }) => bucket > 0);
    for (const { series, line, period, bucket, value } of points) {
      const shown = report.lines.find(one => one.series === series - 1 && one.line === line)!;
      const at = (period === 0 ? starts! : startsBefore!).indexOf(bucket * 1000);
      expect((period === 0 ? shown.points : shown.previousPoints!)[at]).toBe(value);
    }
  });
  expect(linesSeen).toBeGreaterThan(DATA_SETS);
});
