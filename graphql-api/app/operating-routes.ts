// Routes for operators and load balancers, without a token.

import { Hono } from 'hono';
import type { AppDeps } from '../platform/context.ts';

export type Readiness = {
  /** Not ready, but serving. */
  readonly isDraining: () => boolean;
  /** The port is closed, and open connections close after their next response. */
  readonly isPortClosed: () => boolean;
};

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A process without Postgres is alive but not ready, because a restart would not help. */
export function probeRoutes(
  { build, database }: Pick<AppDeps, 'build' | 'database'>,
  { isDraining }: Pick<Readiness, 'isDraining'>,
): Hono {
  return new Hono()
    .get('/healthz', c => c.json({ status: 'alive', ...build }))
    .get('/readyz', async c => {
      const detail = isDraining() ? 'stopping' : await database.fault();
      return detail === undefined
        ? c.json({ status: 'ready' })
        : c.json({ status: 'not ready', detail }, 503);
    });
}

export function metricsRoutes({ metrics }: Pick<AppDeps, 'metrics'>): Hono {
  return new Hono().get('/metrics', async c =>
    c.body(await metrics.exposition(), 200, { 'Content-Type': PROMETHEUS_TYPE }),
  );
}
