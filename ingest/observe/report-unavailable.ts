import type { Clock } from '../clock.ts';
import type { Log } from '../postgres/postgres-link.ts';

/**
 * Tells of requests that got 503 because the spool or Postgres failed them. With Postgres away that
 * is each of thousands a second: after one line the next ones are only counted for a while. Each
 * is in ingest_requests_total.
 */
export function reportUnavailable(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'monotonicMs'>) {
  let quietUntilMs = 0;
  let unsaid = 0;
  return (error: unknown): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs < quietUntilMs) {
      unsaid++;
      return;
    }
    log.warn({ error: String(error), othersBefore: unsaid }, 'a request could not be stored');
    quietUntilMs = nowMs + INTERVAL_MS;
    unsaid = 0;
  };
}

const INTERVAL_MS = 10_000;
