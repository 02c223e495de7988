// Each of the three brokers in turn hangs for 20 s under a steady load: how long nothing is
// acknowledged, how long a request waits, and how many are refused. Fails if an acknowledged event
// is missing.

import { setTimeout as wait } from 'node:timers/promises';
import type { BenchOptions } from '../bench.ts';
import { startEngines } from '../ingest/engines.ts';
import { type Measurement, measure } from '../ingest/measure.ts';
import type { Row } from '../print-table.ts';
import { HUNG } from './scenarios.ts';

const BEFORE_MS = 5_000;
const HUNG_MS = 20_000;
/** The broker catches up, and leads its partitions again. */
const AFTER_MS = 10_000;

/** One measurement for each broker. */
export async function takeHungBrokers(
  { execArgv, progress }: BenchOptions,
  signal: AbortSignal,
): Promise<Measurement[]> {
  progress('starting the databases and the brokers');
  const engines = await startEngines({ clickhouseNice: 0, withBrokers: true });
  const brokers = engines.brokers!;
  const measurements: Measurement[] = [];
  try {
    for (let broker = 0; broker < brokers.count; broker++) {
      progress(`broker ${broker + 1} of ${brokers.count} hangs`);
      const disturb = async () => {
        await wait(BEFORE_MS, undefined, { signal });
        brokers.suspend(broker);
        await wait(HUNG_MS, undefined, { signal }).finally(() => brokers.resume(broker));
      };
      const seconds = (BEFORE_MS + HUNG_MS + AFTER_MS) / 1000;
      measurements.push(await measure(HUNG, { engines, seconds, signal, execArgv, disturb }));
    }
  } finally {
    await engines.stop();
  }
  return measurements;
}

export function hungRow({ figures }: Measurement, broker: number): Row {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  return {
    'hangs for 20 s': `broker ${broker + 1}`,
    'events/s': Math.round(figures.eventsPerSecond),
    'longest s without a 200': seconds(figures.longestGapMs),
    'longest s to a response': seconds(figures.longestAnswerMs),
    p99: seconds(figures.p99Ms),
    '503 with Retry-After': figures.unavailableRequests,
    'otherwise failed': figures.failedRequests - figures.unavailableRequests,
  };
}
