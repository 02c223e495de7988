import { Box, VisuallyHidden } from '@mantine/core';
import { BarChart } from './chart/BarChart.tsx';
import type { ChartProps } from './chart/chart-props.ts';
import { RowChart } from './chart/RowChart.tsx';
import { inCount } from './in-words.ts';

/** A chart, with a table alternative for screen readers. */
export function Chart(props: ChartProps) {
  const { label, names, series, isUnknown = [], isHorizontal = false, inWords = inCount } = props;
  return (
    <Box component="figure" m={0} aria-label={label}>
      <div aria-hidden>{isHorizontal ? <RowChart {...props} /> : <BarChart {...props} />}</div>
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
                  <td key={one.name}>
                    {inCell(one.values[at] ?? null, isUnknown[at] ?? false, inWords)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  );
}

function inCell(
  value: number | null,
  isUnknown: boolean,
  inWords: (value: number) => string,
): string {
  if (!isUnknown) return value === null ? 'None' : inWords(value);
  return value === null || value === 0 ? 'Unknown' : `At least ${inWords(value)}`;
}
