// Judges each measure by its trend over the second half of a soak.

import type { Sample } from './samples.ts';

export type Judged = {
  readonly measure: string;
  /** At 10 %, 50 % and 100 % of the time. */
  readonly at10: number;
  readonly at50: number;
  readonly at100: number;
  readonly perHour: number;
  /** By the trend, over the second half. */
  readonly grown: number;
  readonly allowed: number | undefined;
  readonly verdict: string;
};

/** It is flat if it grows by at most this share of its level, or this much, in the second half. */
type Bound = { readonly share: number; readonly least: number };

/** Some measures end in the same words, so the first match counts. */
const BOUNDS: readonly (readonly [name: RegExp, bound: Bound])[] = [
  // The caches of marks and indexes, and memory for merges, vary with the size of the parts.
  [/^clickhouse memory MB$/, { share: 0.15, least: 64 }],
  // Garbage is collected at varying moments: the heap swings by a third around its level.
  [/heap MB$/, { share: 0.15, least: 10 }],
  // Node returns memory late, and Postgres fills its shared buffers page by page.
  [/memory MB$/, { share: 0.05, least: 12 }],
  // ClickHouse opens files of the parts that are being merged.
  [/^clickhouse descriptors$/, { share: 0.1, least: 40 }],
  // A few connections come and go.
  [/descriptors$/, { share: 0.02, least: 5 }],
  [/threads$/, { share: 0, least: 2 }],
  [/^Postgres connections$/, { share: 0, least: 2 }],
  // Rows that are updated leave space that vacuum reuses only later.
  [/^Postgres without audit log MB$/, { share: 0.03, least: 4 }],
  // Autovacuum runs when a fifth of a table is dead, so the number swings.
  [/^Postgres dead rows$/, { share: 0.25, least: 5_000 }],
  [/^ClickHouse tables$/, { share: 0, least: 0 }],
  // Parts are merged into larger ones in steps: the number rises and falls by half.
  [/^ClickHouse (?:active|all) parts$/, { share: 0.25, least: 20 }],
  [/^spool/, { share: 0.05, least: 64 }],
  [/^oldest undelivered s$/, { share: 0, least: 2 }],
];

/** Measures that are expected to grow with every event or request. */
const GROWS_BY_DESIGN: Readonly<Record<string, string>> = {
  'ClickHouse data MB': 'by design: events are kept',
  'Postgres audit log MB': 'by design: changes are kept',
  'log MB': 'by design: a line per API request',
};
/** Delivered segments are kept for 30 minutes at most; at 5,000 events/s, their quarter of SPOOL_MAX_BYTES is full earlier. */
const SPOOL_FULL_SECONDS = 31 * 60;
/** With fewer samples, the trend is noise. */
const SAMPLES_MIN = 6;
/** The samples at a moment: one alone may be an outlier. */
const NEAREST = 5;

export function judge(samples: readonly Sample[]): Judged[] {
  const endSeconds = samples.at(-1)!.atSeconds;
  const near = (part: number, measure: string) => {
    const distance = ({ atSeconds }: Sample) => Math.abs(atSeconds - endSeconds * part);
    const nearest = samples.toSorted((a, b) => distance(a) - distance(b)).slice(0, NEAREST);
    return median(nearest.map(({ values }) => values[measure]!));
  };
  return Object.keys(samples[0]!.values).map(measure => {
    const fromSeconds = Math.max(
      endSeconds / 2,
      measure.startsWith('spool') ? SPOOL_FULL_SECONDS : 0,
    );
    const points = samples
      .filter(({ atSeconds }) => atSeconds >= fromSeconds)
      .map(({ atSeconds, values }) => ({ x: atSeconds, y: values[measure]! }));
    const perSecond = points.length < SAMPLES_MIN ? 0 : slopeOf(points);
    const grown = perSecond * (endSeconds - fromSeconds);
    const [at10, at50, at100] = [near(0.1, measure), near(0.5, measure), near(1, measure)];
    const bound = BOUNDS.find(([name]) => name.test(measure))?.[1];
    const allowed = bound && Math.max(bound.least, bound.share * at50);
    const verdict =
      GROWS_BY_DESIGN[measure] ??
      (allowed === undefined
        ? ''
        : points.length < SAMPLES_MIN
          ? 'too short'
          : verdictOf(grown, allowed));
    return { measure, at10, at50, at100, perHour: perSecond * 3_600, grown, allowed, verdict };
  });
}

function verdictOf(grown: number, allowed: number): string {
  return grown <= allowed ? 'flat' : 'growing';
}

/** The slope of the least-squares line. */
function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
