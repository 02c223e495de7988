import type { Logger } from 'pino';
import { telemetry } from '../../schema/telemetry/telemetry.ts';
import type { Metrics } from './metrics.ts';

type AnsweredRequest = {
  /** The path as registered, or `other`. */
  readonly endpoint: string;
  readonly status: number;
  readonly ms: number;
  readonly bodyBytes: number;
  /** Empty if the client sent none. */
  readonly requestId: string;
};

/** Requests of the control plane, which logs a line with the same request ID. */
const LOGGED: ReadonlySet<string> = new Set(['/internal/rows', '/internal/batch']);

/** Records a request in the metrics, in the log at `debug`, and in a span if there is a collector. */
export function recordReply(
  { metrics, log }: { readonly metrics: Metrics; readonly log: Logger },
  request: AnsweredRequest,
): void {
  const { endpoint, status, ms, bodyBytes, requestId } = request;
  metrics.requests.inc({ endpoint, status: String(status) });
  metrics.requestSeconds.observe({ endpoint }, ms / 1000);
  metrics.bodyBytes.inc(bodyBytes);
  const isLogged = requestId !== '' && LOGGED.has(endpoint);
  log[isLogged ? 'info' : 'debug'](request, 'request');
  telemetry()?.record({
    name: endpoint,
    kind: 'server',
    startedAtMs: performance.now() - ms,
    attributes: {
      'http.route': endpoint,
      'http.response.status_code': status,
      ...(requestId !== '' && { 'request.id': requestId }),
    },
    hasFailed: status >= 500,
  });
}
