import type { Clock } from '../clock.ts';
import type { Log } from '../postgres/postgres-link.ts';

/**
 * Rate-limits a warning that may occur thousands of times a second: after one log line, the next
 * occurrences are only counted for a while. The metrics count each occurrence.
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
