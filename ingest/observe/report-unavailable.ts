import type { Clock } from '../clock.ts';
import type { Log } from '../postgres/postgres-link.ts';
import { reportSeldom } from './report-seldom.ts';

/** Tells of requests that got 503 because the spool or Postgres failed them. */
export function reportUnavailable(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'monotonicMs'>) {
  const report = reportSeldom(log, clock, 'request could not be stored: responded with 503');
  return (error: unknown): void => report({ error: String(error) });
}
