import { ClickHouseError } from '@clickhouse/client';
import { reject } from '../rejected.ts';
import { EXECUTION_SECONDS_MAX } from './report-limits.ts';

/** The ClickHouse error codes of a query that exceeds a limit of reports. */
const TOO_LARGE = new Set(['158', '159', '160', '241', '307', '396']);
/** The time limit, which a small query can also exceed while the machine is busy. */
const TOO_SLOW = '159';
/** All queries together exceed the memory limit, which a smaller query would not avoid. */
const SERVER_LIMIT = /\(total\)|\(for user\)/;
/** Temporary errors: too many queries, read-only replicas, missing tables or users. */
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

const RETRY_AFTER_SECONDS = 5;

/**
 * Whether the error is a connection error or a timeout. The client has no class for these, so all errors
 * that are neither from ClickHouse nor a defect of this code count.
 */
export function isAway(error: unknown): boolean {
  const isDefect = error instanceof TypeError || error instanceof SyntaxError;
  return !(error instanceof ClickHouseError) && !isDefect;
}

/** Rejects with the public error of a failed query; rethrows errors that are defects of the query. */
export function refusalOf(error: Error, log: (facts: Record<string, unknown>) => void): never {
  if (isAway(error)) {
    log({ reason: error.message });
    return unavailable();
  }
  if (!(error instanceof ClickHouseError)) throw error;
  const { code, type, message } = error;
  if (TOO_LARGE.has(code) && !SERVER_LIMIT.test(message)) {
    log({ code, type });
    return code === TOO_SLOW ? tooSlow() : reject('REPORT_TOO_LARGE');
  }
  if (TOO_LARGE.has(code) || NOT_NOW.has(code)) {
    log({ code, type, reason: message });
    return unavailable();
  }
  throw error;
}

function tooSlow(): never {
  return reject('REPORT_TOO_LARGE', {
    message: `The report took longer than ${EXECUTION_SECONDS_MAX} seconds. Try again, shorten the time range, or add filters.`,
    facts: { timeLimitSeconds: EXECUTION_SECONDS_MAX },
  });
}

export function unavailable(): never {
  return reject('REPORT_UNAVAILABLE', { facts: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
