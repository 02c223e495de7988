import { median } from '../measured.ts';
import type { Measurement } from './measure.ts';
import type { Scenario } from './scenarios.ts';

/** The values of a figure over all rounds. */
export type Spread = {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: readonly number[];
};

export type Results = ReadonlyMap<Scenario, readonly Measurement[]>;

export type FigureName = keyof Measurement['figures'];

/** Rounds the values to thousandths. */
export function spreadOf(values: readonly number[]): Spread {
  const rounds = values.map(value => Math.round(value * 1000) / 1000);
  return { median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds), rounds };
}

export function spreadsOf(all: readonly Measurement[]): Record<FigureName, Spread> {
  const names = Object.keys(all[0]!.figures) as FigureName[];
  const entries = names.map(name => [name, spreadOf(all.map(({ figures }) => figures[name]))]);
  return Object.fromEntries(entries) as Record<FigureName, Spread>;
}

/** The ratio of two scenarios per round, so that other load on the machine affects both. */
export function ratioOf(
  results: Results,
  key: string,
  toKey: string,
  figure: FigureName,
): Spread | undefined {
  const of = (wanted: string) =>
    Array.from(results).find(([scenario]) => scenario.key === wanted)?.[1];
  const [own, other] = [of(key), of(toKey)];
  if (own === undefined || other === undefined) return undefined;
  return spreadOf(own.map(({ figures }, round) => figures[figure] / other[round]!.figures[figure]));
}

/** The median and the range of the rounds. */
export function shown({ median: middle, min, max, rounds }: Spread, digits: number): string {
  const text = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return rounds.length === 1 ? text(middle) : `${text(middle)} (${text(min)} to ${text(max)})`;
}
