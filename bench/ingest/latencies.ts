export type Latencies = {
  add(ms: number): void;
  count(): number;
  /** Rounded to hundredths; 0 without measurements. */
  quantiles(of: readonly number[]): number[];
};

const FIRST_ROOM = 1 << 16;

/** All values are kept, so the quantiles are exact. */
export function createLatencies(): Latencies {
  let values = new Float64Array(FIRST_ROOM);
  let count = 0;
  return {
    add(ms) {
      if (count === values.length) {
        const larger = new Float64Array(count * 2);
        larger.set(values);
        values = larger;
      }
      values[count++] = ms;
    },
    count: () => count,
    quantiles(of) {
      const sorted = values.slice(0, count).sort();
      return of.map(quantile => {
        const index = Math.min(count - 1, Math.floor(count * quantile));
        return Math.round((sorted[index] ?? 0) * 100) / 100;
      });
    },
  };
}
