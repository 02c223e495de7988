// Endpoints for operators and load balancers. Liveness and readiness differ: a process is ready
// while its warehouse is unavailable, because acknowledgements depend only on its own disk.

import type { BuildInfo } from '../../schema/environment/build-info.ts';
import { jsonReply } from './reply.ts';
import type { Endpoint } from './server.ts';

const GET = ['GET', 'HEAD'];
/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function healthEndpoint(build: BuildInfo): Endpoint {
  return { methods: GET, handle: () => jsonReply(200, { status: 'alive', ...build }) };
}

export type Readiness = {
  /** Why it must not receive traffic; empty if it may. */
  readonly reasons: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
};

/** 200 if it may receive traffic, otherwise 503 with the reasons. */
export function readinessEndpoint(readiness: () => Readiness): Endpoint {
  return {
    methods: GET,
    handle: () => {
      const { reasons, facts } = readiness();
      return reasons.length === 0
        ? jsonReply(200, { status: 'ready', ...facts })
        : jsonReply(503, { status: 'not ready', detail: reasons.join('; '), ...facts });
    },
  };
}

export function metricsEndpoint(scrape: () => Promise<string>): Endpoint {
  return {
    methods: GET,
    handle: async () => {
      return { status: 200, body: await scrape(), contentType: PROMETHEUS_TYPE, headers: [] };
    },
  };
}
