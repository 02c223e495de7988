// Collects the metrics of all threads, on the main thread, and sums them for the thread that was
// scraped.

import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** A scrape fails if a thread does not respond in time. */
const SCRAPE_TIMEOUT_MS = 3_000;

type ThreadMetrics = MetricObjectWithValues<MetricValue<string>>[];
type Scrape = { readonly parts: ThreadMetrics[]; finish(): void };

type ScrapesOptions = {
  readonly threads: number;
  /** The metrics of the main thread. */
  readonly registry: Registry;
  /** Asks all threads. They respond with the same number. */
  readonly collect: (number: number) => void;
};

export class Scrapes {
  readonly #options: ScrapesOptions;
  readonly #open = new Map<number, Scrape>();
  #count = 0;

  constructor(options: ScrapesOptions) {
    this.#options = options;
  }

  async scrape(): Promise<string | undefined> {
    return (await this.sum())?.metrics();
  }

  /** Undefined if a thread did not respond: sums over only some would make counters decrease. */
  async sum(): Promise<Registry | undefined> {
    const { threads, registry, collect } = this.#options;
    const number = this.#count++;
    const parts: ThreadMetrics[] = [];
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, SCRAPE_TIMEOUT_MS);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#open.set(number, { parts, finish });
      collect(number);
    });
    this.#open.delete(number);
    if (parts.length < threads) return undefined;
    parts.push((await registry.getMetricsAsJSON()) as ThreadMetrics);
    return AggregatorRegistry.aggregate(parts);
  }

  receive(number: number, metrics: unknown): void {
    const scrape = this.#open.get(number);
    scrape?.parts.push(metrics as ThreadMetrics);
    if (scrape?.parts.length === this.#options.threads) scrape.finish();
  }
}
