import { randomUUID } from 'node:crypto';
import type { AppDeps, Context } from '../context.ts';

type AnsweredRequest = {
  readonly requestId: string;
  readonly method: string;
  /** A route pattern, never a path. */
  readonly route: string;
  readonly status: number;
  readonly startedAtMs: number;
  /** Undefined if the request was rejected before it was created. */
  readonly context: Context | undefined;
};

/** The request IDs that callers can choose, to correlate their logs with ours. */
const REQUEST_ID = /^[A-Za-z0-9_.-]{8,64}$/;

export function requestIdFrom(sent: string | undefined): string {
  return sent !== undefined && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Records a request in the log and the metrics. */
export function recordRequest(
  { log, metrics }: Pick<AppDeps, 'log' | 'metrics'>,
  { requestId, method, route, status, startedAtMs, context }: AnsweredRequest,
): void {
  const ms = performance.now() - startedAtMs;
  metrics.requestSeconds.observe({ route, status }, ms / 1000);
  const { viewer, notes } = context ?? {};
  log.info(
    {
      requestId,
      method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      userId: viewer?.userId,
      organizationId: viewer?.organizationId,
      workspaceId: viewer?.workspaceId,
      ...notes,
    },
    'request',
  );
}
