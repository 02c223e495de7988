// Records requests to other programs, through Node's diagnostics channels: fetch, and node:http, which
// webhooks and ClickHouse use.

import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { telemetry } from '../../../schema/telemetry/telemetry.ts';

type FetchRequest = { readonly origin: string; readonly method: string };
type FetchEvent = {
  readonly request: FetchRequest;
  readonly response?: { readonly statusCode: number };
};
type HttpEvent = { readonly request: ClientRequest; readonly response?: IncomingMessage };

/** Called once per process, if there is a collector. */
export function traceOutgoing(): void {
  const startedAtMs = new WeakMap<object, number>();
  const start = (event: unknown) => {
    startedAtMs.set((event as FetchEvent | HttpEvent).request, performance.now());
  };
  const end = (request: object, method: string, host: string, status: number | undefined) => {
    const since = startedAtMs.get(request);
    if (since === undefined) return;
    startedAtMs.delete(request);
    telemetry()?.record({
      name: method,
      kind: 'client',
      startedAtMs: since,
      // Without the path, which may have an ID or a secret of a receiver.
      attributes: {
        'http.request.method': method,
        'server.address': host,
        ...(status !== undefined && { 'http.response.status_code': status }),
      },
      hasFailed: status === undefined || status >= 500,
    });
  };
  subscribe('undici:request:create', start);
  for (const name of ['undici:request:headers', 'undici:request:error'])
    subscribe(name, event => {
      const { request, response } = event as FetchEvent;
      end(request, request.method, request.origin, response?.statusCode);
    });
  subscribe('http.client.request.start', start);
  for (const name of ['http.client.response.finish', 'http.client.request.error'])
    subscribe(name, event => {
      const { request, response } = event as HttpEvent;
      end(request, request.method, request.host, response?.statusCode);
    });
}
