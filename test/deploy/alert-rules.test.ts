// Prometheus' own tool evaluates the rules on artificial series: each rule fires for its fault, and
// none fires without a fault.

import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { newDirectory } from '../harness/run-directory.ts';

const RULES = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'alerts.yml');

/** The values of a series at 130 intervals, a minute each unless stated. */
const GROWS = '0+10x130';
const always = (value: number) => `${value}+0x130`;

/** By alert: series for which it fires, and for which it does not. */
type Case = Readonly<Record<string, readonly [faulty: string, calm: string]>>;
const late = (reader: string) => `ingest_spool_oldest_unsent_seconds{cell="a",reader="${reader}"}`;
const backlog = (name: string) => `api_backlog_items{backlog="${name}"}`;
const oldest = (name: string) => `api_backlog_oldest_seconds{backlog="${name}"}`;
const GIB = 1024 ** 3;

const CASES: Readonly<Record<string, Case>> = {
  NodeSilent: { 'up{job="ingest",instance="a"}': [always(0), always(1)] },
  ReportsLate: { [late('clickhouse')]: [always(1_000), always(3)] },
  ReportsVeryLate: { [late('clickhouse')]: [always(1_000), always(3)] },
  ContactsAndWebhooksLate: { [late('outbox')]: [always(100), always(3)] },
  InsertsFail: {
    'ingest_insert_failures_total{table="events_raw",kind="no answer"}': [GROWS, always(7)],
  },
  RowsMissing: {
    'ingest_rows_stored_total{cell="a"}': ['100+0x90 110+0x40', '100+10x130'],
    'ingest_rows_delivered_total{cell="a"}': [always(100), '80+10x130'],
    'ingest_rows_waiting{cell="a"}': [always(0), always(20)],
  },
  SpoolFillsUp: { 'ingest_spool_bytes{cell="a"}': [`0+${GIB / 4}x130`, always(GIB)] },
  DiskNearlyFull: { 'ingest_disk_free_bytes{instance="a"}': [always(GIB / 2), always(2 * GIB)] },
  SpoolDamaged: { ingest_spool_damaged_bytes_total: [GROWS, always(5)] },
  SpoolEndMissing: { ingest_spool_endless_segments_total: [GROWS, always(1)] },
  Quarantined: { 'ingest_quarantine_files{cell="a"}': [always(1), always(0)] },
  SpoolFails: { ingest_spool_failures_total: [GROWS, always(3)] },
  IngestWithoutPostgres: { ingest_postgres_reachable: [always(0), always(1)] },
  SenderThrottled: {
    'ingest_throttled_organization_requests_total{organization_id="o"}': ['0+600x130', '0+6x130'],
  },
  IngestConnectionsRefused: { ingest_connections_refused_total: [GROWS, always(9)] },
  LogRefuses: { ingest_log_append_failures_total: [GROWS, always(2)] },
  LogNotRead: {
    ingest_log_append_bytes_total: [GROWS, GROWS],
    'ingest_log_lag_records{cell="a",reader="clickhouse",partition="0"}': ['_x130', always(0)],
  },
  LogRecordsLost: { ingest_log_lost_records_total: [GROWS, always(4)] },
  ApiFails: {
    'api_request_seconds_count{status="503"}': [GROWS, always(2)],
    'api_request_seconds_count{status="200"}': [GROWS, GROWS],
  },
  ApiWithoutPostgres: { api_postgres_reachable: [always(0), always(1)] },
  PostgresPoolExhausted: {
    'api_postgres_pool_connections{role="service_app",state="waiting"}': [always(4), always(0)],
  },
  OrganizationThrottled: {
    'api_throttled_organization_requests_total{organization_id="o"}': ['0+600x130', '0+6x130'],
  },
  ApiConnectionsRefused: { api_connections_refused_total: [GROWS, always(9)] },
  JobsDead: { [backlog('dead_letters')]: [always(2), always(0)] },
  JobsLate: { 'api_job_queue_oldest_seconds{queue="evaluate-segment"}': [always(700), always(60)] },
  OutboxLate: { [oldest('outbox_rows')]: [always(400), always(1)] },
  OutboxRefused: { [backlog('refused_outbox_rows')]: [always(1), always(0)] },
  WebhookEventsLate: { [oldest('webhook_events')]: [always(90), always(1)] },
  WebhookEndpointsFail: { [backlog('failing_webhook_endpoints')]: [always(1), always(0)] },
  GatewayEventsParked: { [backlog('parked_gateway_events')]: [always(1), always(0)] },
  GatewayEventsLate: { [oldest('gateway_events')]: [always(1_000), always(1)] },
};
/** Fires for the lack of series. */
const SILENT = ['ApiSilent', 'IngestSilent'];
/** Takes days. */
const SETTLED = 'EventsNotSettled';

test.skipIf(!hasPromtool())('each rule fires for its fault, and only then', async () => {
  const { groups } = parse(await readFile(RULES, 'utf8')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect([...Object.keys(CASES), ...SILENT, SETTLED].sort()).toEqual(alerts.sort());
  const series = (which: 0 | 1) =>
    Object.entries(Object.assign({}, ...Object.values(CASES)) as Case).map(([name, values]) => ({
      series: name,
      values: values[which],
    }));
  const settled = { series: 'ingest_events_settled_until_seconds{cell="a"}', values: always(1) };
  await promtool('1m', [
    { at: '120m', series: series(0), firing: Object.keys(CASES) },
    { at: '120m', series: series(1), firing: [] },
    { at: '120m', series: [], firing: SILENT },
  ]);
  await promtool('1h', [{ at: '110h', series: [settled], firing: [...SILENT, SETTLED] }]);
});

type Evaluation = {
  readonly at: string;
  readonly series: readonly { readonly series: string; readonly values: string }[];
  readonly firing: readonly string[];
};

/** `interval`: of the values, and between two evaluations. */
async function promtool(interval: string, evaluations: readonly Evaluation[]): Promise<void> {
  const tests = evaluations.map(({ at, series, firing }) => ({
    interval,
    input_series: series,
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: at,
        exp_samples: firing.map(alert => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      },
    ],
  }));
  const file = join(await newDirectory('promtool'), 'tests.yml');
  // JSON is YAML.
  const rules = { rule_files: [RULES], evaluation_interval: interval };
  await writeFile(file, JSON.stringify({ ...rules, tests }));
  await promisify(execFile)('promtool', ['test', 'rules', file]);
}

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
