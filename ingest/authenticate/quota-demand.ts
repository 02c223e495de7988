/**
 * Estimates the events per second of a scope from the times at which leases run out. A lease of
 * that size lasts about a second: few queries to Postgres, and few events held by one node while
 * another one rejects. It never extrapolates from less than a second, so a single burst does not
 * make a node lease the whole cap. At the start of a flood, leases double each time instead.
 */
export class DemandEstimate {
  readonly #samples = new Map<number, Sample>();

  perSecond(slot: number, windowStartMs: number, used: number, nowMs: number): number {
    let sample = this.#samples.get(slot);
    if (sample === undefined || sample.windowStartMs !== windowStartMs) {
      // The first lease of a window uses the demand of the previous window, if that was recent.
      const isFresh = sample !== undefined && Math.abs(nowMs - sample.sinceMs) < MEMORY_MS;
      const rate = isFresh ? sample!.rate : 0;
      sample = { windowStartMs, sinceMs: nowMs, usedThen: used, rate };
      this.#samples.set(slot, sample);
      return rate;
    }
    const seen = Math.max(0, used - sample.usedThen);
    const elapsedMs = nowMs - sample.sinceMs;
    // If the clock was set back, a new measurement starts.
    if (elapsedMs >= 1000 || elapsedMs < 0) {
      sample.rate = elapsedMs > 0 ? Math.ceil((seen * 1000) / elapsedMs) : 0;
      sample.sinceMs = nowMs;
      sample.usedThen = used;
      return sample.rate;
    }
    return Math.max(sample.rate, seen);
  }
}

type Sample = { readonly windowStartMs: number; sinceMs: number; usedThen: number; rate: number };

const MEMORY_MS = 5_000;
