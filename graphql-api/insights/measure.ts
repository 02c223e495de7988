// The measures of trends, as ClickHouse aggregate functions. All of them are exact.

export type Measure = keyof typeof MEASURES;

type Aggregate = {
  /** Named with its parameters, so that `State` and `Merge` can be added to the name. */
  readonly name: string;
  readonly level?: number;
  readonly of: 'events' | 'people' | 'number';
};

/** `sumKahan` does not lose the small numbers of a long sum. */
export const MEASURES = {
  COUNT: { name: 'count', of: 'events' },
  PEOPLE: { name: 'uniqExact', of: 'people' },
  SUM: { name: 'sumKahan', of: 'number' },
  AVERAGE: { name: 'avg', of: 'number' },
  MIN: { name: 'min', of: 'number' },
  MAX: { name: 'max', of: 'number' },
  P50: { name: 'quantileExact', level: 0.5, of: 'number' },
  P90: { name: 'quantileExact', level: 0.9, of: 'number' },
  P95: { name: 'quantileExact', level: 0.95, of: 'number' },
  P99: { name: 'quantileExact', level: 0.99, of: 'number' },
} as const satisfies Record<string, Aggregate>;

/** The state of the aggregate, which can be merged. Null arguments do not count. */
export function stateOf(measure: Measure, argument: string): string {
  return `${functionOf(measure, 'State')}(${argument})`;
}

/** As Nullable(Float64). The sum of no numbers is 0; other measures of no numbers are null. */
export function mergeOf(measure: Measure, state: string): string {
  const merged = `toNullable(toFloat64(${functionOf(measure, 'Merge')}(${state})))`;
  return measure === 'SUM' ? `ifNull(${merged}, 0)` : merged;
}

function functionOf(measure: Measure, suffix: 'State' | 'Merge'): string {
  const { name, level }: Aggregate = MEASURES[measure];
  return `${name}${suffix}${level === undefined ? '' : `(${level})`}`;
}
