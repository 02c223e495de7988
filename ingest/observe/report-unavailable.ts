import type { Clock } from '../clock.ts';
import type { Log } from '../postgres/postgres-link.ts';
import { reportSeldom } from './report-seldom.ts';

/** Logs requests that returned 503 because the spool or Postgres failed. */
export function reportUnavailable(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'monotonicMs'>) {
  const report = reportSeldom(log, clock, 'request could not be stored: responded with 503');
  return (error: unknown): void => report({ error: String(error) });
}
