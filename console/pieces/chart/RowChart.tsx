import './chart.css';
import { inShort } from '../in-words.ts';
import type { ChartProps } from './chart-props.ts';
import { Legend } from './Legend.tsx';
import { TONE_COLORS } from './tones.ts';

/** Bars from left to right, each with its number: a row of them for each name. */
export function RowChart({ names, series }: ChartProps) {
  const highest = Math.max(1, ...series.flatMap(({ values }) => values.map(value => value ?? 0)));
  return (
    <>
      <Legend series={series} />
      <div className="row-chart">
        {names.map((name, at) => (
          <div key={name} className="row-chart-row">
            <span className="row-chart-name">{name}</span>
            <div>
              {series.map(({ name: of, tone, values }) => (
                <div key={of} className="row-chart-bar">
                  <span
                    style={{
                      background: TONE_COLORS[tone],
                      width: `${((values[at] ?? 0) / highest) * 85}%`,
                    }}
                  />
                  {inShort(values[at] ?? 0)}
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
