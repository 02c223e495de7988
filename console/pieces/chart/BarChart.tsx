import './chart.css';
import { useElementSize } from '@mantine/hooks';
import { type MouseEvent, useState } from 'react';
import { inShort } from '../in-words.ts';
import type { ChartProps } from './chart-props.ts';
import { Legend } from './Legend.tsx';
import { PointedValues } from './PointedValues.tsx';
import { ticksTo } from './ticks.ts';
import { TONE_COLORS } from './tones.ts';

/** Room for the numbers at the left, and for the names below. */
const LEFT_PX = 38;
const BELOW_PX = 20;
const ABOVE_PX = 8;
const NAME_PX = 68;
const BAR_PX_MAX = 34;
/** Of the room of a name, how much its bars take. */
const BARS_SHARE = 0.8;

/** Bars from the ground up, side by side or stacked. */
export function BarChart(props: ChartProps) {
  const { names, series, isUnknown = [], isStacked = false, heightPx = 200, onPick } = props;
  const { inWords = inShort } = props;
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number>();
  const ticks = ticksTo(highestOf(props));
  const stepPx = Math.max(0, width - LEFT_PX) / Math.max(1, names.length);
  const groundPx = heightPx - BELOW_PX;
  const yOf = (value: number) => groundPx - (value / ticks.at(-1)!) * (groundPx - ABOVE_PX);
  const positionOf = ({ clientX, currentTarget }: MouseEvent) => {
    const xPx = clientX - currentTarget.getBoundingClientRect().left - LEFT_PX;
    const at = Math.floor(xPx / stepPx);
    return at >= 0 && at < names.length ? at : undefined;
  };
  const pick = (event: MouseEvent) => {
    const at = positionOf(event);
    if (at !== undefined) onPick?.(at);
  };
  return (
    <>
      <Legend series={series} />
      <div ref={ref} className="bar-chart">
        <svg
          aria-hidden
          height={heightPx}
          onPointerMove={event => setPointed(positionOf(event))}
          onPointerLeave={() => setPointed(undefined)}
          onClick={pick}
          style={{ cursor: onPick && pointed !== undefined ? 'pointer' : undefined }}
        >
          <Axis ticks={ticks} yOf={yOf} width={width} inWords={inWords} />
          {names.map((name, at) => (
            <g key={at} transform={`translate(${LEFT_PX + at * stepPx})`}>
              <Ground
                isUnknown={isUnknown[at] ?? false}
                isPointed={at === pointed}
                width={stepPx}
                height={groundPx - ABOVE_PX}
              />
              <Bars series={series} isStacked={isStacked} at={at} stepPx={stepPx} yOf={yOf} />
              {at % Math.ceil(NAME_PX / Math.max(1, stepPx)) === 0 && (
                <text x={stepPx / 2} y={heightPx - 5} textAnchor="middle">
                  {name}
                </text>
              )}
            </g>
          ))}
        </svg>
        {pointed !== undefined && (
          <PointedValues {...props} at={pointed} xPx={LEFT_PX + (pointed + 0.5) * stepPx} />
        )}
      </div>
    </>
  );
}

type AxisProps = {
  readonly ticks: readonly number[];
  readonly yOf: (value: number) => number;
  readonly width: number;
  readonly inWords: (value: number) => string;
};

function Axis({ ticks, yOf, width, inWords }: AxisProps) {
  return ticks.map(tick => (
    <g key={tick}>
      <line x1={LEFT_PX} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
      <text x={LEFT_PX - 6} y={yOf(tick) + 4} textAnchor="end">
        {inWords(tick)}
      </text>
    </g>
  ));
}

type GroundProps = {
  readonly isUnknown: boolean;
  readonly isPointed: boolean;
  readonly width: number;
  readonly height: number;
};

/** Behind the bars of a name. */
function Ground({ isUnknown, isPointed, width, height }: GroundProps) {
  if (!isUnknown && !isPointed) return null;
  const className = isUnknown ? 'bar-chart-unknown' : 'bar-chart-pointed';
  return <rect className={className} width={width} y={ABOVE_PX} height={height} />;
}

function highestOf({ names, series, isStacked = false }: ChartProps): number {
  if (!isStacked)
    return Math.max(0, ...series.flatMap(({ values }) => values.map(value => value ?? 0)));
  const sums = names.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return Math.max(0, ...sums);
}

type BarsProps = {
  readonly series: ChartProps['series'];
  readonly isStacked: boolean;
  readonly at: number;
  readonly stepPx: number;
  readonly yOf: (value: number) => number;
};

function Bars({ series, isStacked, at, stepPx, yOf }: BarsProps) {
  const side = isStacked ? 1 : series.length;
  const barPx = Math.min(BAR_PX_MAX, (stepPx * BARS_SHARE) / side);
  const leftPx = (stepPx - barPx * side) / 2;
  let below = 0;
  return series.map(({ name, tone, values }, of) => {
    const value = values[at] ?? 0;
    const from = isStacked ? below : 0;
    below += Math.max(0, value);
    // A sum can be negative: it is in the table.
    if (value <= 0) return null;
    return (
      <rect
        key={name}
        x={leftPx + (isStacked ? 0 : of * barPx)}
        y={yOf(from + value)}
        width={barPx}
        height={yOf(from) - yOf(from + value)}
        rx={Math.min(3, barPx / 4)}
        fill={TONE_COLORS[tone]}
      />
    );
  });
}
