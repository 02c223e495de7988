// Settles the events of one shard of a cell's ClickHouse in the background, on the main thread. Every
// node does this; a day that one has settled needs no work from the others. While none does, the view
// `events` is correct but slower.

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { shardAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type ClickHouse, connectClickHouse } from '../insert/clickhouse.ts';
import type { createProcessMetrics } from '../observe/process-metrics.ts';
import { settleEvents } from './settle-events.ts';

type SettlerOptions = {
  readonly cell: string;
  /** The replicas of the shard. The first one is the leader, the same for all nodes. */
  readonly replicas: readonly ClickHouse[];
  readonly node: string;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Logger, 'warn'>;
  /** Called at each look with the last day, as YYYY-MM-DD, up to which all events are settled. */
  readonly onProgress: (settledUntil: string) => void;
  readonly onFailure: () => void;
};

export class Settler {
  private readonly options: SettlerOptions;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: SettlerOptions) {
    this.options = options;
    this.running = this.run();
  }

  /** A statement that is running in ClickHouse continues without this process. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const replica of this.options.replicas) replica.close();
    await this.running;
  }

  private async run(): Promise<void> {
    const { clock, random } = this.options;
    const { signal } = this.stopping;
    let isSettling: boolean | undefined;
    let failures = 0;
    await clock.sleep(LOOK_INTERVAL_MS * random(), signal);
    while (!signal.aborted) {
      let hasMore = false;
      try {
        isSettling ||= await this.hasTables();
        hasMore = isSettling && (await this.settle());
        failures = 0;
      } catch (error) {
        if (!signal.aborted) this.report(error, ++failures);
      }
      if (!hasMore) await clock.sleep(LOOK_INTERVAL_MS * (0.5 + random()), signal);
    }
  }

  /** Before the first migration there are none. */
  private async hasTables(): Promise<boolean> {
    const answer = await this.options.replicas[0]!.execute(
      "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'events_settling' FORMAT TSV",
    );
    return Number(answer) > 0;
  }

  private async settle(): Promise<boolean> {
    const { replicas, node, clock, onProgress } = this.options;
    const [leader, ...others] = replicas;
    const sleep = (ms: number) => clock.sleep(ms, this.stopping.signal);
    const deps = { clickhouse: leader!, others, node, sleep, onProgress };
    return (await settleEvents(deps)).hasMore;
  }

  private report(error: unknown, failures: number): void {
    this.options.onFailure();
    // Inserts report that ClickHouse is unavailable; this reports lasting failures only.
    if (failures !== FAILURES_BEFORE_WARNING) return;
    const { cell, log } = this.options;
    log.warn(
      { cell, error: String(error) },
      'settling keeps failing: queries that read unsettled days stay slow',
    );
  }
}

const LOOK_INTERVAL_MS = 10_000;
const FAILURES_BEFORE_WARNING = 6;

type Metrics = Pick<
  ReturnType<typeof createProcessMetrics>,
  'eventsSettledUntil' | 'settlingFailures'
>;

/** One for each shard of each cell. `clickhouseUrls`: by the slug of the cell. */
export function startSettlers(
  clickhouseUrls: Readonly<Record<string, string>>,
  metrics: Metrics,
  log: Pick<Logger, 'warn'>,
): readonly Settler[] {
  const node = randomUUID();
  return Object.entries(clickhouseUrls).flatMap(([cell, addresses]) => {
    const settledUntil: string[] = [];
    return shardAddresses(addresses).map(
      (urls, shard) =>
        new Settler({
          cell,
          node,
          // Nodes may list the replicas in any order.
          replicas: [...urls].sort(byHost).map(connectClickHouse),
          clock: systemClock,
          random: Math.random,
          log,
          onProgress: day => {
            settledUntil[shard] = day;
            const [last] = settledUntil.filter(Boolean).sort();
            metrics.eventsSettledUntil.set({ cell }, Date.parse(last!) / 1000);
          },
          onFailure: () => metrics.settlingFailures.inc({ cell }),
        }),
    );
  });
}

function byHost(one: string, other: string): number {
  return new URL(one).host < new URL(other).host ? -1 : 1;
}
