export type Load = {
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second; undefined for the maximum rate. */
  readonly rate?: number | undefined;
};

export type Measured = {
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  readonly failed: number;
};

/** Merges several slices of the same measurement. */
export function joined(slices: readonly Measured[]): Measured {
  return {
    latenciesMs: slices.flatMap(({ latenciesMs }) => latenciesMs),
    seconds: slices.reduce((sum, { seconds }) => sum + seconds, 0),
    failed: slices.reduce((sum, { failed }) => sum + failed, 0),
  };
}

export function rateOf({ latenciesMs, seconds }: Measured): number {
  return latenciesMs.length / seconds;
}

/** Rounded to hundredths; 0 without measurements. */
export function quantileMs({ latenciesMs }: Measured, quantile: number): number {
  const sorted = Float64Array.from(latenciesMs).sort();
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * quantile));
  return Math.round((sorted[index] ?? 0) * 100) / 100;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
