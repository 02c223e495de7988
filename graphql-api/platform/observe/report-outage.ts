/** An outage fails every request, and one line a second is as informative as a line for each. */
const INTERVAL_MS = 1_000;

export type ReportOutage = (error: unknown) => void;

/** Reports failures of connections at a limited rate, with the number of those not reported. */
export function createReportOutage(
  report: (facts: { readonly reason: string; readonly suppressed: number }) => void,
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
    report({ reason, suppressed });
    quietUntilMs = nowMs() + INTERVAL_MS;
    suppressed = 0;
  };
}
