// The routes of ingest.

import type { BuildInfo } from '../schema/environment/build-info.ts';
import { WEBHOOK_PATH } from '../schema/gateway/webhook-path.ts';
import { TAIL_PATH } from '../schema/values/tail.ts';
import { acceptInAppEvent, type InAppEventDeps } from './accept/accept-in-app-event.ts';
import { acceptInAppResponse } from './accept/accept-in-app-response.ts';
import { acceptPushEngagement } from './accept/accept-push-engagement.ts';
import { compatibleBatch, compatibleEventEndpoints } from './compatible/event-endpoints.ts';
import { posthogEndpoints } from './compatible/posthog/posthog-endpoints.ts';
import { compatibleSettingsEndpoints } from './compatible/settings-endpoints.ts';
import type { Config } from './config.ts';
import { type GatewayWebhookDeps, gatewayWebhookEndpoint } from './gateway/webhook-endpoint.ts';
import { type ActiveEndpointDeps, activeEndpoint } from './http/active-endpoint.ts';
import { type BatchEndpointDeps, batchEndpoint } from './http/batch-endpoint.ts';
import { clientFileEndpoints } from './http/client-file-endpoints.ts';
import { deviceEndpoints } from './http/device-endpoints.ts';
import { type InternalBatchDeps, internalBatchEndpoint } from './http/internal-batch-endpoint.ts';
import { internalRowsEndpoint } from './http/internal-rows-endpoint.ts';
import { type InternalTailDeps, internalTailEndpoint } from './http/internal-tail-endpoint.ts';
import { openApiEndpoint } from './http/openapi-endpoint.ts';
import {
  healthEndpoint,
  metricsEndpoint,
  type Readiness,
  readinessEndpoint,
} from './http/operating-endpoints.ts';
import { Router } from './http/router.ts';
import type { Endpoint } from './http/server.ts';
import { type Accept, type SpooledEndpointDeps, spooledEndpoint } from './http/spooled-endpoint.ts';
import { widgetAckEndpoint } from './http/widget-ack-endpoint.ts';
import type { ThreadDatabase } from './postgres/thread-database.ts';

export type EndpointDeps = ActiveEndpointDeps &
  BatchEndpointDeps &
  SpooledEndpointDeps &
  InternalBatchDeps &
  InternalTailDeps &
  InAppEventDeps &
  GatewayWebhookDeps & {
    readonly build: BuildInfo;
    readonly database: ThreadDatabase;
    readonly readiness: () => Readiness;
    readonly scrape: () => Promise<string>;
  };

type PathEndpoint = readonly [path: string, endpoint: Endpoint];

export type Routers = {
  readonly traffic: Router;
  /** Undefined if its endpoints are on the port of the traffic. */
  readonly operations: Router | undefined;
};

export function createRouters(
  deps: EndpointDeps,
  { role, operations: operationsPort }: Pick<Config, 'role' | 'operations'>,
): Routers {
  const traffic = role === 'insert' ? [] : trafficEndpoints(deps);
  const operations: readonly PathEndpoint[] = [
    ...(role === 'insert' ? [] : internalEndpoints(deps)),
    ['/metrics', metricsEndpoint(deps.scrape)],
  ];
  // On both, for load balancers and for operators.
  const probes: readonly PathEndpoint[] = [
    ['/healthz', healthEndpoint(deps.build)],
    ['/readyz', readinessEndpoint(deps.readiness)],
  ];
  if (operationsPort === undefined)
    return {
      traffic: new Router(new Map([...traffic, ...probes, ...operations])),
      operations: undefined,
    };
  return {
    traffic: new Router(new Map([...traffic, ...probes])),
    operations: new Router(new Map([...probes, ...operations])),
  };
}

function trafficEndpoints(deps: EndpointDeps): readonly PathEndpoint[] {
  const spooled = (path: string, accept: Accept) =>
    [path, spooledEndpoint(deps, path, accept)] as const;
  const devices = deviceEndpoints(deps);
  // Also under /v1, because the front forwards that path to ingest.
  const openApi = openApiEndpoint();
  return [
    ['/v1/batch', batchEndpoint(deps, compatibleBatch(deps))],
    ...compatibleEventEndpoints(deps),
    ...compatibleSettingsEndpoints(deps),
    ...posthogEndpoints(deps),
    spooled('/v1/in_app/events', acceptInAppEvent(deps)),
    spooled('/v1/push/engagement', acceptPushEngagement(deps)),
    spooled('/api/v1/in_app/responses', acceptInAppResponse(deps)),
    ['/v1/devices/register', devices.register],
    ['/v1/devices/deactivate', devices.deactivate],
    ['/v1/in-app/widgets/{step_execution_id}/ack', widgetAckEndpoint(deps)],
    ['/v1/in-app/active', activeEndpoint(deps)],
    [WEBHOOK_PATH, gatewayWebhookEndpoint(deps)],
    ...clientFileEndpoints(),
    ['/openapi.json', openApi],
    ['/v1/openapi.json', openApi],
  ];
}

/** Endpoints for the control plane. They do not exist if no internal token is configured. */
function internalEndpoints(deps: EndpointDeps): readonly PathEndpoint[] {
  if (deps.internalTokens.length === 0) return [];
  return [
    ['/internal/rows', internalRowsEndpoint(deps)],
    ['/internal/batch', internalBatchEndpoint(deps)],
    [TAIL_PATH, internalTailEndpoint(deps)],
  ];
}
