import { useComputedColorScheme } from '@mantine/core';
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartEvent,
  type ChartOptions,
  Legend,
  LinearScale,
  Tooltip,
  type TooltipItem,
} from 'chart.js';
import { Chart as ReactChart } from 'react-chartjs-2';
import type { ChartProps, Series } from '../Chart.tsx';
import { inShort } from '../in-words.ts';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip);

type Scheme = 'light' | 'dark';

/** Far enough apart for eyes that don't tell red from green: they differ in lightness too. */
const COLORS: Record<Scheme, Record<Series['tone'], string>> = {
  light: {
    brand: '#3a51cc',
    good: '#2b8a6e',
    bad: '#d6336c',
    waiting: '#e08e0b',
    quiet: '#8b95a7',
  },
  dark: { brand: '#8ea2ff', good: '#5fd3ae', bad: '#ff7aa8', waiting: '#ffc46b', quiet: '#7c879b' },
};
const INK: Record<Scheme, { text: string; line: string }> = {
  light: { text: '#556072', line: '#e8ebf1' },
  dark: { text: '#a3adbf', line: '#263040' },
};

export default function DrawnChart(props: ChartProps) {
  const scheme = useComputedColorScheme('light');
  const { names, series, isUnknown = [] } = props;
  const datasets = series.map(({ name, values, tone }) => ({
    label: name,
    data: values.map((value, at) => (isUnknown[at] && value === 0 ? null : value)),
    backgroundColor: COLORS[scheme][tone],
    borderRadius: 4,
    maxBarThickness: 34,
  }));
  return (
    <ReactChart
      type="bar"
      data={{ labels: [...names], datasets: [...datasets, ...unknownOf(isUnknown, scheme)] }}
      options={{ ...optionsOf(props, INK[scheme]), ...pickingOf(props) }}
    />
  );
}

/** The whole height, on an axis of its own. */
const UNKNOWN_AXIS = 'unknown';

function unknownOf(isUnknown: readonly boolean[], scheme: Scheme) {
  if (!isUnknown.includes(true)) return [];
  return [
    {
      label: 'Unknown',
      data: isUnknown.map(one => (one ? 1 : null)),
      yAxisID: UNKNOWN_AXIS,
      backgroundColor: INK[scheme].line,
      barPercentage: 1,
      categoryPercentage: 1,
    },
  ];
}

function pickingOf({ onPick }: ChartProps): ChartOptions<'bar'> {
  if (onPick === undefined) return {};
  return {
    onClick: (event, _elements, chart) => {
      const at = positionOf(event, chart);
      if (at !== undefined) onPick(at);
    },
    onHover: (event, _elements, chart) => {
      chart.canvas.style.cursor = positionOf(event, chart) === undefined ? '' : 'pointer';
    },
  };
}

/** The position of the values above or below the pointer. */
function positionOf(event: ChartEvent, chart: Chart): number | undefined {
  const [nearest] = chart.getElementsAtEventForMode(
    event as unknown as Event,
    'index',
    { intersect: false },
    true,
  );
  return nearest?.index;
}

function optionsOf(
  { series, isUnknown = [], isStacked = false, isHorizontal = false }: ChartProps,
  { text, line }: { text: string; line: string },
): ChartOptions<'bar'> {
  const font = { family: "'Inter Variable', system-ui, sans-serif", size: 11 };
  const values = {
    stacked: isStacked,
    beginAtZero: true,
    border: { display: false },
    grid: { color: line },
    ticks: {
      color: text,
      font,
      maxTicksLimit: 5,
      precision: 0,
      callback: (value: number | string) => inShort(Number(value)),
    },
  };
  const names = {
    stacked: isStacked,
    border: { color: line },
    grid: { display: false },
    ticks: { color: text, font, maxRotation: 0, autoSkipPadding: 16 },
  };
  return {
    maintainAspectRatio: false,
    // Animation distracts from the data.
    animation: false,
    indexAxis: isHorizontal ? 'y' : 'x',
    interaction: { mode: 'index', intersect: false, axis: isHorizontal ? 'y' : 'x' },
    scales: {
      ...(isHorizontal ? { x: values, y: names } : { x: names, y: values }),
      ...(isUnknown.includes(true) && { [UNKNOWN_AXIS]: { display: false, min: 0, max: 1 } }),
    },
    plugins: {
      legend: {
        display: series.length > 1,
        position: 'top',
        align: 'end',
        labels: { color: text, font, boxWidth: 10, boxHeight: 10, useBorderRadius: true },
      },
      tooltip: { titleFont: font, bodyFont: font, callbacks: { label: inTooltip } },
    },
  };
}

function inTooltip({ dataset, formattedValue }: TooltipItem<'bar'>): string {
  const { label = '' } = dataset;
  return dataset.yAxisID === UNKNOWN_AXIS ? label : `${label}: ${formattedValue}`;
}
