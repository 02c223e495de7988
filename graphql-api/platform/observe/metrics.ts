import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BuildInfo } from '../../../schema/environment/build-info.ts';
import {
  THROTTLED_SHOWN_MAX,
  THROTTLED_TRACKED_MAX,
  TopCounts,
} from '../../../schema/values/top-counts.ts';
import type { PoolState } from '../database/database.ts';
import { metricsOfAll } from './metrics-of-all.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Label values are from fixed sets: a route is a pattern, never a path. */
export function createMetrics(build: BuildInfo) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1. The labels identify the running release.',
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
    ...metricsOfPostgres(registers),
    ...metricsOfBacklogs(registers),
    throttled: topOrganizations(registers),
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
    operationSeconds: seconds(
      'api_graphql_seconds',
      'Duration of a GraphQL operation, by name. Operations that are neither persisted nor used by the console are named other.',
      ['operation'],
      // A few only, because there are more than a hundred operations.
      [0.05, 0.25, 1, 5],
    ),
    refusals: counter(
      'api_refusals_total',
      'Rejected or failed requests, fields and actions, by code.',
      'code',
    ),
    reportSeconds: seconds(
      'api_report_seconds',
      'Duration of a ClickHouse query, by outcome: answered or failed.',
      ['outcome'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 12.5],
    ),
    gatewaySeconds: seconds(
      'api_gateway_seconds',
      'Duration of one attempt to call the payment gateway, by outcome.',
      ['call', 'outcome'],
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    ),
  };
}

function metricsOfPostgres(registers: Registry[]) {
  const { seconds } = makersIn(registers);
  return {
    poolWaitSeconds: seconds(
      'api_postgres_pool_wait_seconds',
      'Time that a transaction waits for a connection from the pool, by role.',
      ['role'],
      [0.001, 0.01, 0.1, 0.5, 1, 5],
    ),
    statementSeconds: seconds(
      'api_postgres_statement_seconds',
      'Duration of a Postgres statement, by role.',
      ['role'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    ),
    poolStates: gaugePools(registers),
    postgresReachable: new Gauge({
      name: 'api_postgres_reachable',
      help: '1 if the last check of Postgres succeeded, otherwise 0.',
      aggregator: 'min',
      registers,
    }),
  };
}

/** Returns a function that sets what each scrape reads. */
function gaugePools(registers: Registry[]) {
  let read: () => readonly PoolState[] = () => [];
  new Gauge({
    name: 'api_postgres_pool_connections',
    help: 'Connections in the pool, by state: max, open and idle; waiting is the number of transactions that are waiting for a connection.',
    labelNames: ['role', 'state'],
    registers,
    collect() {
      for (const { role, ...counts } of read())
        for (const [state, count] of Object.entries(counts)) this.set({ role, state }, count);
    },
  });
  return (states: () => readonly PoolState[]) => {
    read = states;
  };
}

/**
 * Read from Postgres by watch-backlogs.ts; all processes and nodes report the same. The label is not
 * `job`, which Prometheus uses itself.
 */
function metricsOfBacklogs(registers: Registry[]) {
  const gauge = <Label extends string>(name: string, help: string, label: Label) =>
    new Gauge({ name, help, labelNames: [label], aggregator: 'max', registers });
  return {
    backlogItems: gauge('api_backlog_items', 'Number of waiting items, at most 10,000.', 'backlog'),
    backlogOldestSeconds: gauge(
      'api_backlog_oldest_seconds',
      'Age of the oldest waiting item; 0 if there is none.',
      'backlog',
    ),
    jobsWaiting: gauge('api_job_queue_waiting', 'Jobs that are due and have not started.', 'queue'),
    jobsOldestSeconds: gauge(
      'api_job_queue_oldest_seconds',
      'Time since the oldest waiting job was due; 0 if there is none.',
      'queue',
    ),
  };
}

/** The organizations with the most throttled requests only, so the number of series is bounded. */
function topOrganizations(registers: Registry[]): TopCounts {
  const throttled = new TopCounts(THROTTLED_TRACKED_MAX);
  new Counter({
    name: 'api_throttled_organization_requests_total',
    help: 'Requests refused because the organization had used up its points, by organization; only the organizations with the most refusals.',
    labelNames: ['organization_id'],
    registers,
    collect() {
      this.reset();
      for (const [organization_id, count] of throttled.top(THROTTLED_SHOWN_MAX))
        this.inc({ organization_id }, count);
    },
  });
  return throttled;
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
      'Duration of one job attempt.',
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
      'Duration of one outbound webhook attempt, by outcome.',
      ['outcome'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    ),
    webhookEndpointsDisabled: counter(
      'api_webhook_endpoints_disabled_total',
      'Webhook endpoints disabled automatically, by reason: GONE, or FAILING for days.',
      'reason',
    ),
  };
}
