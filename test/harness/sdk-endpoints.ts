// The SDK endpoints except /v1/batch. They all behave alike: one table-driven test per behavior
// covers all of them (test/ingest/sdk-endpoints.*.test.ts). To add an endpoint, add an entry here.

import { randomBytes, randomUUID } from 'node:crypto';
import { type Answer, type Request, send } from './http.ts';
import type { Ingest } from './ingest-process.ts';
import type { Tenant } from './tenant.ts';
import { queueWidget } from './widget.ts';

export type SdkEndpoint = {
  /** The route as ingest registers it. */
  readonly route: string;
  readonly method: 'GET' | 'POST';
  /**
   * Whether requests are written to the spool or to Postgres. Only the spool needs the tenant's
   * cell.
   */
  readonly kind: 'spooled' | 'postgres';
  /** Creates a new request of the tenant that returns 200. */
  readonly valid: (tenant: Tenant) => ValidRequest | Promise<ValidRequest>;
};

export type ValidRequest = {
  /** The path with its parameter and query. */
  readonly path: string;
  /** Undefined for a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export const SDK_ENDPOINTS: readonly SdkEndpoint[] = [
  {
    route: '/v1/in_app/events',
    method: 'POST',
    kind: 'spooled',
    valid: () => ({
      path: '/v1/in_app/events',
      body: {
        campaign_id: 'campaign-1',
        event_type: 'impression',
        user_id: 'user-1',
        platform: 'web',
        idempotency_key: randomUUID(),
      },
    }),
  },
  {
    route: '/api/v1/in_app/responses',
    method: 'POST',
    kind: 'spooled',
    valid: () => ({
      path: '/api/v1/in_app/responses',
      body: {
        campaign_id: 'campaign-1',
        response_type: 'nps',
        platform: 'web',
        payload: { score: 9 },
        idempotency_key: randomUUID(),
      },
    }),
  },
  {
    route: '/v1/devices/register',
    method: 'POST',
    kind: 'postgres',
    valid: () => ({
      path: '/v1/devices/register',
      body: { device_token: randomBytes(32).toString('hex'), platform: 'ios' },
    }),
  },
  {
    route: '/v1/devices/deactivate',
    method: 'POST',
    kind: 'postgres',
    valid: () => ({
      path: '/v1/devices/deactivate',
      body: { device_token: randomBytes(32).toString('hex'), platform: 'ios', reason: 'test' },
    }),
  },
  {
    route: '/v1/in-app/widgets/{step_execution_id}/ack',
    method: 'POST',
    kind: 'postgres',
    valid: async tenant => ({
      path: `/v1/in-app/widgets/${(await queueWidget(tenant)).stepExecutionId}/ack`,
      body: { action: 'served' },
    }),
  },
  {
    route: '/v1/push/engagement',
    method: 'POST',
    kind: 'spooled',
    valid: ({ propertyId }) => ({
      path: '/v1/push/engagement',
      body: {
        event_type: 'push.shown',
        platform: 'web',
        property_id: propertyId,
        message_id: randomUUID(),
        contact_id: 'contact-1',
      },
    }),
  },
  {
    route: '/v1/in-app/active',
    method: 'GET',
    kind: 'postgres',
    valid: () => ({
      path: '/v1/in-app/active?current_surface=home',
      headers: { 'x-user-id': 'user-1' },
    }),
  },
];

export const SDK_POST_ENDPOINTS = SDK_ENDPOINTS.filter(({ method }) => method === 'POST');
export const SDK_SPOOLED_ENDPOINTS = SDK_ENDPOINTS.filter(({ kind }) => kind === 'spooled');

/** For `describe.for`, which uses `name` as the name of the group. */
export function named(endpoints: readonly SdkEndpoint[]): (SdkEndpoint & { name: string })[] {
  return endpoints.map(endpoint => ({
    ...endpoint,
    name: `${endpoint.method} ${endpoint.route}`,
  }));
}

/** Sends the request with the tenant's key in its header, unless `headers` overrides it. */
export function sendValid(
  ingest: Ingest,
  endpoint: SdkEndpoint,
  tenant: Pick<Tenant, 'writeKey'>,
  request: ValidRequest,
  options: Request = {},
): Promise<Answer> {
  const headers = { 'x-service-write-key': tenant.writeKey, ...options.headers };
  return sendKeyless(ingest, endpoint, request, { ...options, headers });
}

export function sendKeyless(
  ingest: Ingest,
  { method }: SdkEndpoint,
  { path, body }: ValidRequest,
  options: Request = {},
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...type, ...options.headers };
  return send(`${ingest.url}${path}`, { method, ...sent, ...options, headers });
}
