import type { Logger } from 'pino';

/** An outage fails every request, and one line a second says as much as a line for each. */
const INTERVAL_MS = 1_000;

export type ReportOutage = (error: unknown) => void;

/** Logs failures of connections at a limited rate, with the number of those not logged. */
export function createReportOutage(
  log: Pick<Logger, 'error'>,
  nowMs: () => number = () => performance.now(),
): ReportOutage {
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return error => {
    if (nowMs() < quietUntilMs) {
      suppressed++;
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    log.error(
      { reason, suppressed },
      'request failed: Postgres or the token issuer is unavailable',
    );
    quietUntilMs = nowMs() + INTERVAL_MS;
    suppressed = 0;
  };
}
