import { Box, Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { inCount } from './in-words.ts';

const Drawn = lazy(() => import('./chart/DrawnChart.tsx'));

export type Series = {
  readonly name: string;
  readonly values: readonly number[];
  readonly tone: 'brand' | 'good' | 'bad' | 'waiting' | 'quiet';
};

export type ChartProps = {
  /** A one-sentence description of the chart. */
  readonly label: string;
  /** The labels of the axis, one per value. */
  readonly names: readonly string[];
  readonly series: readonly Series[];
  /** Marks values that may be incomplete, because an empty bar would mean none. */
  readonly isUnknown?: readonly boolean[];
  readonly isStacked?: boolean;
  readonly isHorizontal?: boolean;
  readonly heightPx?: number;
  /** A click on the values at a position. The same must be possible with the keyboard elsewhere. */
  readonly onPick?: (at: number) => void;
};

/** A chart, with a table alternative for screen readers. */
export function Chart(props: ChartProps) {
  const { label, names, series, isUnknown = [], heightPx = 200 } = props;
  return (
    <Box component="figure" m={0} aria-label={label}>
      <Box h={heightPx} pos="relative" aria-hidden>
        <Suspense fallback={<Skeleton h={heightPx} />}>
          <Drawn {...props} />
        </Suspense>
      </Box>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">At</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name, at) => (
              <tr key={at}>
                <th scope="row">{name}</th>
                {series.map(one => (
                  <td key={one.name}>{inCell(one.values[at] ?? 0, isUnknown[at] ?? false)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  );
}

function inCell(value: number, isUnknown: boolean): string {
  if (!isUnknown) return inCount(value);
  return value === 0 ? 'Unknown' : `At least ${inCount(value)}`;
}
