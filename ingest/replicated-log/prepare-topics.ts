import type { Logger } from 'pino';
import { createReportOutage } from '../../schema/telemetry/report-outage.ts';
import type { Clock } from '../clock.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { ensureTopics } from './topics.ts';

const RETRY_WAIT_MS = 1_000;

/**
 * Creates missing topics in the background: until it has succeeded, requests return 503. Returns a
 * function that stops it.
 */
export function prepareTopics(
  config: BrokersConfig,
  cells: readonly string[],
  { clock, log }: { clock: Clock; log: Logger },
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const report = createReportOutage(facts =>
    log.warn(facts, 'could not prepare the topics, retrying'),
  );
  const run = async () => {
    for (let turn = 0; !signal.aborted; turn++) {
      try {
        await ensureTopics(config, cells, turn);
        return;
      } catch (error) {
        report(error);
        await clock.sleep(RETRY_WAIT_MS, signal);
      }
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
