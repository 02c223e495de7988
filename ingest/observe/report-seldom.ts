import type { Clock } from '../clock.ts';
import type { Log } from '../postgres/postgres-link.ts';

/**
 * Warns of what may happen thousands of times a second: after one line the next ones are only
 * counted for a while. Each is in the metrics.
 */
export function reportSeldom(
  log: Pick<Log, 'warn'>,
  clock: Pick<Clock, 'monotonicMs'>,
  message: string,
): (facts: object) => void {
  let quietUntilMs = 0;
  let unsaid = 0;
  return facts => {
    const nowMs = clock.monotonicMs();
    if (nowMs < quietUntilMs) {
      unsaid++;
      return;
    }
    log.warn({ ...facts, othersBefore: unsaid }, message);
    quietUntilMs = nowMs + INTERVAL_MS;
    unsaid = 0;
  };
}

const INTERVAL_MS = 10_000;
