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
    report({ reason: reasonOf(error), suppressed });
    quietUntilMs = nowMs() + INTERVAL_MS;
    suppressed = 0;
  };
}

/** The messages of an error and its causes: the innermost names what to repair, such as a certificate. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = causeOf(at)) {
    const { message } = at;
    if (!messages.some(outer => outer.includes(message))) messages.push(message);
  }
  return messages.join(' ');
}

function causeOf(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors.at(-1) : undefined);
}
