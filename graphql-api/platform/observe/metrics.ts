import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BuildInfo } from '../../../schema/environment/build-info.ts';
import { metricsOfAll } from './metrics-of-all.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Label values are from fixed sets: a route is a pattern, never a path. */
export function createMetrics(build: BuildInfo) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1. The labels name the running release.',
    labelNames: ['version', 'commit'],
    aggregator: 'first',
    registers,
  }).set({ ...build }, 1);
  return {
    registry,
    /** In the Prometheus text format, of all API processes on this port. */
    exposition: metricsOfAll(registry),
    ...metricsOfRequests(makersIn(registers)),
    ...metricsOfWork(makersIn(registers)),
  };
}

function makersIn(registers: Registry[]) {
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    seconds: <Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      buckets: number[],
    ) => new Histogram({ name, help, labelNames, buckets, registers }),
  };
}

type Makers = ReturnType<typeof makersIn>;

function metricsOfRequests({ counter, seconds }: Makers) {
  return {
    requestSeconds: seconds(
      'api_request_seconds',
      'Time from a request to its complete response.',
      ['route', 'status'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ),
    connectionsRefused: counter(
      'api_connections_refused_total',
      'Connections closed on arrival because the connection limit was reached.',
    ),
    refusals: counter(
      'api_refusals_total',
      'Rejected or failed requests, fields and actions, by code.',
      'code',
    ),
    reportSeconds: seconds(
      'api_report_seconds',
      'Time of ClickHouse queries, by outcome: answered or failed.',
      ['outcome'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 12.5],
    ),
    gatewaySeconds: seconds(
      'api_gateway_seconds',
      'Time of one attempt of a payment gateway call, by outcome.',
      ['call', 'outcome'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    ),
  };
}

function metricsOfWork({ counter, seconds }: Makers) {
  return {
    jobRuns: counter(
      'api_job_runs_total',
      'Job attempts, by outcome: completed, retried, aborted, or dead after the last attempt.',
      'job',
      'outcome',
    ),
    jobSeconds: seconds(
      'api_job_seconds',
      'Time of one job attempt.',
      ['job'],
      [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
    ),
    outboxRows: counter(
      'api_outbox_rows_total',
      'Warehouse rows posted to ingest, by outcome: sent, postponed, or refused permanently.',
      'table',
      'outcome',
    ),
    gatewayEvents: counter(
      'api_gateway_events_total',
      'Attempts to process payment gateway events, by outcome: PROCESSED, IGNORED, WAITS, FAILED or PARKED.',
      'outcome',
    ),
    webhookSeconds: seconds(
      'api_webhook_seconds',
      'Time of one attempt of an outbound webhook, by outcome.',
      ['outcome'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    ),
    webhookEndpointsDisabled: counter(
      'api_webhook_endpoints_disabled_total',
      'Webhook endpoints disabled automatically: GONE, or FAILING for days.',
      'reason',
    ),
  };
}
