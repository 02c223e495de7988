import { Group, Text } from '@mantine/core';
import { inCount } from '../in-words.ts';
import type { ChartProps } from './chart-props.ts';
import { Swatch } from './Legend.tsx';

type PointedValuesProps = Pick<ChartProps, 'names' | 'series' | 'isUnknown' | 'inWords'> & {
  readonly at: number;
  readonly xPx: number;
};

/** The values of the bars under the pointer, on the side where there is room. */
export function PointedValues(props: PointedValuesProps) {
  const { names, series, isUnknown = [], inWords = inCount, at, xPx } = props;
  const isLeft = at > names.length / 2;
  return (
    <div
      className="bar-chart-values"
      style={{
        left: xPx,
        transform: isLeft ? 'translateX(calc(-100% - 10px))' : 'translateX(10px)',
      }}
    >
      <Text inherit fw={600}>
        {names[at]}
      </Text>
      {series.map(({ name, tone, values }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <Swatch tone={tone} />
          {name}: {inValue(values[at] ?? null, isUnknown[at] ?? false, inWords)}
        </Group>
      ))}
    </div>
  );
}

function inValue(
  value: number | null,
  isUnknown: boolean,
  inWords: (value: number) => string,
): string {
  if (!isUnknown) return value === null ? '–' : inWords(value);
  return value === null || value === 0 ? 'unknown' : `at least ${inWords(value)}`;
}
