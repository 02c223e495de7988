/**
 * Counts occurrences by ID in bounded memory and returns the IDs with the most (the Space-Saving
 * algorithm). Up to `capacity` different IDs, the counts are exact. After that, a new ID takes the
 * place of the one with the lowest count and continues from that count, so a count can be too high,
 * and an ID with more than 1/capacity of all occurrences is always among them.
 */
export class TopCounts {
  private readonly capacity: number;
  private readonly counts = new Map<string, number>();

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  add(id: string): void {
    const known = this.counts.get(id);
    if (known !== undefined || this.counts.size < this.capacity) {
      this.counts.set(id, (known ?? 0) + 1);
      return;
    }
    let lowest = Number.POSITIVE_INFINITY;
    let loser = '';
    for (const [other, count] of this.counts) {
      if (count >= lowest) continue;
      lowest = count;
      loser = other;
    }
    this.counts.delete(loser);
    this.counts.set(id, lowest + 1);
  }

  /** The highest counts, in descending order. */
  top(most: number): readonly (readonly [id: string, count: number])[] {
    return [...this.counts].sort(([, a], [, b]) => b - a).slice(0, most);
  }
}

/** Enough to be exact for all tenants that reach a limit in normal operation. */
export const THROTTLED_TRACKED_MAX = 200;
/** The number of series per metric and thread or process. */
export const THROTTLED_SHOWN_MAX = 10;
