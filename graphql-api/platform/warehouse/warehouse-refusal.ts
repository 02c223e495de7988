import { ClickHouseError } from '@clickhouse/client';
import { reject } from '../rejected.ts';

/** Of ClickHouse's: what was asked reads, holds, answers or takes more than one report may. */
const TOO_LARGE = new Set(['158', '159', '160', '241', '307', '396']);
/** All statements together have used up the memory, which is nothing that asking for less mends. */
const OF_THE_SERVER = /\(total\)|\(for user\)/;
/** Too many queries at once, read-only replicas, tables or users that are not there (yet). */
const NOT_NOW = new Set([
  '60',
  '81',
  '192',
  '193',
  '194',
  '202',
  '209',
  '210',
  '242',
  '279',
  '497',
  '516',
]);

/** When trying again makes sense. */
const RETRY_AFTER_SECONDS = 5;

/**
 * A connection that was cut, or never there, or too slow. The client has no class for these: what is
 * neither ClickHouse's own answer nor a defect of ours is one of them.
 */
export function isAway(error: unknown): boolean {
  const isDefect = error instanceof TypeError || error instanceof SyntaxError;
  return !(error instanceof ClickHouseError) && !isDefect;
}

/** What callers are told of a failed question; a defect of the question itself is thrown on. */
export function refusalOf(error: Error, log: (facts: Record<string, unknown>) => void): never {
  if (isAway(error)) {
    log({ reason: error.message });
    return unavailable();
  }
  if (!(error instanceof ClickHouseError)) throw error;
  const { code, type, message } = error;
  if (TOO_LARGE.has(code) && !OF_THE_SERVER.test(message)) {
    log({ code, type });
    return reject('REPORT_TOO_LARGE');
  }
  if (TOO_LARGE.has(code) || NOT_NOW.has(code)) {
    log({ code, type, reason: message });
    return unavailable();
  }
  throw error;
}

export function unavailable(): never {
  return reject('REPORT_UNAVAILABLE', { facts: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
