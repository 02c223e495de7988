// Which path is served by what: the table of contents of ingest's HTTP surface.

import { type BatchEndpointDeps, batchEndpoint } from './http/batch-endpoint.ts';
import {
  healthEndpoint,
  metricsEndpoint,
  type Readiness,
  readinessEndpoint,
} from './http/operating-endpoints.ts';
import { Router } from './http/router.ts';
import type { SpooledEndpointDeps } from './http/spooled-endpoint.ts';
import type { EdgeDatabase } from './postgres/edge-database.ts';

export type EndpointDeps = BatchEndpointDeps &
  SpooledEndpointDeps & {
    readonly database: EdgeDatabase;
    readonly readiness: () => Readiness;
    readonly scrape: () => Promise<string>;
  };

export function createRouter(deps: EndpointDeps): Router {
  return new Router(
    new Map([
      ['/v1/batch', batchEndpoint(deps)],
      ['/healthz', healthEndpoint()],
      ['/readyz', readinessEndpoint(deps.readiness)],
      ['/metrics', metricsEndpoint(deps.scrape)],
    ]),
  );
}
