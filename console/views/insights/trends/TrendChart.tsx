import { Chart } from '../../../pieces/Chart.tsx';
import type { Series } from '../../../pieces/chart/chart-props.ts';
import { TONES } from '../lines.ts';
import { inInterval } from './in-interval.ts';
import type { ShownLine } from './shown-lines.ts';
import type { Trends, TrendsVariables } from './trends-query.ts';

type TrendChartProps = {
  readonly trends: Trends;
  readonly lines: readonly ShownLine[];
  readonly variables: TrendsVariables;
  readonly title: string;
  /** By interval: its value can still grow. */
  readonly isGrowing: readonly boolean[];
};

export const CHART_LINES_MAX = TONES.length;

/** The values of a property are parts of a whole: an event has one of them. */
const ADDABLE = new Set(['COUNT', 'SUM']);

export function TrendChart({ trends, lines, variables, title, isGrowing }: TrendChartProps) {
  const { bucket, series, breakdowns } = variables;
  const measure = series[0]!.measure ?? 'COUNT';
  return (
    <Chart
      label={`${title}, by ${bucket.toLowerCase()}`}
      names={trends.bucketStarts.map(start => inInterval(start, bucket))}
      series={seriesOf(lines)}
      isUnknown={isGrowing}
      isStacked={breakdowns != null && series.length === 1 && ADDABLE.has(measure)}
    />
  );
}

/** Only one line has room for the period before. */
function seriesOf(lines: readonly ShownLine[]): readonly Series[] {
  const shown = lines
    .slice(0, CHART_LINES_MAX)
    .map(({ name, points }, at) => ({ name, values: points, tone: TONES[at]! }));
  const before = lines.length === 1 ? lines[0]?.previousPoints : null;
  if (before == null) return shown;
  return [...shown, { name: 'Previous period', values: before, tone: 'quiet' }];
}
