import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BuildInfo } from '../../../schema/environment/build-info.ts';
import { metricsOfAll } from './metrics-of-all.ts';

export type Metrics = {
  readonly registry: Registry;
  /** In the Prometheus text format, of all API processes on this port. */
  readonly exposition: () => Promise<string>;
  /** Label values are from fixed sets: a route is a pattern, never a path. */
  readonly requestSeconds: Histogram<'route' | 'status'>;
  readonly connectionsRefused: Counter;
  readonly refusals: Counter<'code'>;
  readonly reportSeconds: Histogram<'outcome'>;
  readonly gatewaySeconds: Histogram<'call' | 'outcome'>;
  readonly jobRuns: Counter<'job' | 'outcome'>;
  readonly jobSeconds: Histogram<'job'>;
  readonly outboxRows: Counter<'table' | 'outcome'>;
  readonly gatewayEvents: Counter<'outcome'>;
  readonly webhookSeconds: Histogram<'outcome'>;
  readonly webhookEndpointsDisabled: Counter<'reason'>;
};

export function createMetrics(build: BuildInfo): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1. The labels name the running release.',
    labelNames: ['version', 'commit'],
    aggregator: 'first',
    registers: [registry],
  }).set({ ...build }, 1);
  return {
    registry,
    exposition: metricsOfAll(registry),
    requestSeconds: new Histogram({
      name: 'api_request_seconds',
      help: 'Time from a request to its complete response.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    }),
    connectionsRefused: new Counter({
      name: 'api_connections_refused_total',
      help: 'Connections closed on arrival because the connection limit was reached.',
      registers: [registry],
    }),
    refusals: new Counter({
      name: 'api_refusals_total',
      help: 'Rejected or failed requests, fields and actions, by code.',
      labelNames: ['code'],
      registers: [registry],
    }),
    reportSeconds: new Histogram({
      name: 'api_report_seconds',
      help: 'Time of ClickHouse queries, by outcome: answered or failed.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 12.5],
      registers: [registry],
    }),
    gatewaySeconds: new Histogram({
      name: 'api_gateway_seconds',
      help: 'Time of one attempt of a payment gateway call, by outcome.',
      labelNames: ['call', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
      registers: [registry],
    }),
    ...jobMetrics(registry),
    ...webhookMetrics(registry),
  };
}

function webhookMetrics(
  registry: Registry,
): Pick<Metrics, 'webhookSeconds' | 'webhookEndpointsDisabled'> {
  const registers = [registry];
  return {
    webhookSeconds: new Histogram({
      name: 'api_webhook_seconds',
      help: 'Time of one attempt of an outbound webhook, by outcome.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
    webhookEndpointsDisabled: new Counter({
      name: 'api_webhook_endpoints_disabled_total',
      help: 'Webhook endpoints disabled automatically: GONE, or FAILING for days.',
      labelNames: ['reason'],
      registers,
    }),
  };
}

function jobMetrics(
  registry: Registry,
): Pick<Metrics, 'jobRuns' | 'jobSeconds' | 'outboxRows' | 'gatewayEvents'> {
  const registers = [registry];
  return {
    jobRuns: new Counter({
      name: 'api_job_runs_total',
      help: 'Job attempts, by outcome: completed, retried, aborted, or dead after the last attempt.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'api_job_seconds',
      help: 'Time of one job attempt.',
      labelNames: ['job'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
      registers,
    }),
    outboxRows: new Counter({
      name: 'api_outbox_rows_total',
      help: 'Warehouse rows posted to ingest, by outcome: sent, put off, or refused permanently.',
      labelNames: ['table', 'outcome'],
      registers,
    }),
    gatewayEvents: new Counter({
      name: 'api_gateway_events_total',
      help: 'Attempts to process payment gateway events, by outcome: PROCESSED, IGNORED, WAITS, FAILED or PARKED.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
