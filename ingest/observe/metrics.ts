// All metrics of a worker thread. Label values come from fixed lists, so a client cannot create
// series. The main thread sums the registries of the threads for /metrics.

import { Counter, Gauge, Histogram, Registry } from './prometheus.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const INSERT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics() {
  const registry = new Registry();
  return {
    registry,
    ...requestMetrics(registry),
    ...spoolMetrics(registry),
    ...logMetrics(registry),
    ...insertMetrics(registry),
    ...outboxMetrics(registry),
    ...gatewayMetrics(registry),
    ...rowMetrics(registry),
    ...throttlingMetrics(registry),
  };
}

/** Counted across restarts, from totals in the spool; set at each scrape. */
function rowMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['cell'] as const;
  return {
    rowsStored: new Counter({
      name: 'ingest_rows_stored_total',
      help: 'Rows for ClickHouse in sealed segments of the spool, counted across restarts',
      labelNames,
      registers,
    }),
    rowsDelivered: new Counter({
      name: 'ingest_rows_delivered_total',
      help: 'Stored rows that ClickHouse has confirmed, counted across restarts',
      labelNames,
      registers,
    }),
    rowsWaiting: new Gauge({
      name: 'ingest_rows_waiting',
      help: 'Stored rows not yet delivered; stored minus delivered minus waiting is the number of missing rows',
      labelNames,
      registers,
    }),
    unsentBytes: new Gauge({
      name: 'ingest_spool_unsent_bytes',
      help: 'Bytes on disk not yet delivered to ClickHouse (clickhouse) or Postgres (outbox)',
      labelNames: ['cell', 'reader'] as const,
      registers,
    }),
    threadLagSeconds: new Gauge({
      name: 'ingest_thread_event_loop_lag_seconds',
      help: 'The longest delay of the event loop of any worker thread since the last scrape',
      aggregator: 'max',
      registers,
    }),
  };
}

/** The IDs with the most refusals only, so the number of series is bounded. */
function throttlingMetrics(registry: Registry) {
  const registers = [registry];
  return {
    throttledOrganizations: new Counter({
      name: 'ingest_throttled_organization_requests_total',
      help: 'Requests refused because a cap was reached, by organization; only those with the most refusals',
      labelNames: ['organization_id'] as const,
      registers,
    }),
    throttledKeys: new Counter({
      name: 'ingest_throttled_key_requests_total',
      help: 'Requests refused because a cap was reached, by SDK key ID; only the keys with the most refusals',
      labelNames: ['sdk_key_id'] as const,
      registers,
    }),
  };
}

function requestMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'ingest_requests_total',
      help: 'Responses, by endpoint and HTTP status',
      labelNames: ['endpoint', 'status'] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'ingest_request_seconds',
      help: 'Time from the request headers to the response',
      labelNames: ['endpoint'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    connectionsRefused: new Counter({
      name: 'ingest_connections_refused_total',
      help: 'Connections closed on arrival because the thread was at its connection limit',
      registers,
    }),
    bodyBytes: new Counter({
      name: 'ingest_request_body_bytes_total',
      help: 'Bytes of request bodies as received, before decompression',
      registers,
    }),
    eventsAccepted: new Counter({
      name: 'ingest_events_accepted_total',
      help: 'Events acknowledged on disk, duplicates included',
      registers,
    }),
    eventsRejected: new Counter({
      name: 'ingest_events_rejected_total',
      help: 'Events rejected, by error code',
      labelNames: ['code'] as const,
      registers,
    }),
    eventsDuplicate: new Counter({
      name: 'ingest_events_duplicate_total',
      help: 'Events acknowledged without being stored again because this node already had them on disk',
      registers,
    }),
    internalRows: new Counter({
      name: 'ingest_internal_rows_total',
      help: 'Rows from the control plane written to disk, by table',
      labelNames: ['table'] as const,
      registers,
    }),
    capsUncounted: new Counter({
      name: 'ingest_caps_uncounted_total',
      help: 'Events admitted without being counted against their caps',
      registers,
    }),
  };
}

function spoolMetrics(registry: Registry) {
  const registers = [registry];
  return {
    spoolBytes: new Gauge({
      name: 'ingest_spool_bytes',
      help: 'Bytes on disk not yet delivered to ClickHouse or Postgres',
      labelNames: ['cell'] as const,
      registers,
    }),
    diskFreeBytes: new Gauge({
      name: 'ingest_disk_free_bytes',
      help: 'Free bytes on the disk of the spool; below 256 MB ingest accepts nothing',
      aggregator: 'min',
      registers,
    }),
    spoolRetainedBytes: new Gauge({
      name: 'ingest_spool_retained_bytes',
      help: 'Bytes of delivered segments that are temporarily retained',
      labelNames: ['cell'] as const,
      registers,
    }),
    oldestUnsentSeconds: new Gauge({
      name: 'ingest_spool_oldest_unsent_seconds',
      help: 'Age of the oldest row not yet delivered to ClickHouse (clickhouse) or Postgres (outbox); 0 if none, NaN if unknown',
      labelNames: ['cell', 'reader'] as const,
      aggregator: 'max',
      registers,
    }),
    fsyncSeconds: new Histogram({
      name: 'ingest_fsync_seconds',
      help: 'Duration of a group commit: write and fdatasync',
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    fsyncBytes: new Counter({
      name: 'ingest_fsync_bytes_total',
      help: 'Bytes written and synced to disk',
      registers,
    }),
    spoolFailures: new Counter({
      name: 'ingest_spool_failures_total',
      help: 'Failed writes, syncs, reads and file creations of the spool',
      registers,
    }),
    spoolTornBytes: new Counter({
      name: 'ingest_spool_torn_bytes_total',
      help: 'Unacknowledged bytes truncated at startup from the end of the last written segment',
      registers,
    }),
    spoolEndlessSegments: new Counter({
      name: 'ingest_spool_endless_segments_total',
      help: 'Segments found at startup whose end was truncated or could not be written',
      registers,
    }),
    spoolDamagedBytes: new Counter({
      name: 'ingest_spool_damaged_bytes_total',
      help: 'Bytes that failed their checksum and were quarantined',
      registers,
    }),
  };
}

/** The metrics of the replicated log; without LOG_BROKERS, they have no values. */
function logMetrics(registry: Registry) {
  const registers = [registry];
  return {
    logAppendSeconds: new Histogram({
      name: 'ingest_log_append_seconds',
      help: 'Time until the in-sync replicas acknowledged a record of the replicated log',
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    logAppendBytes: new Counter({
      name: 'ingest_log_append_bytes_total',
      help: 'Bytes of acknowledged records of the replicated log',
      registers,
    }),
    logAppendFailures: new Counter({
      name: 'ingest_log_append_failures_total',
      help: 'Records that were not acknowledged in time, and failed connections to brokers',
      registers,
    }),
    logLagRecords: new Gauge({
      name: 'ingest_log_lag_records',
      help: 'Records of the replicated log not yet delivered to ClickHouse (clickhouse) or Postgres (outbox), by partition',
      labelNames: ['cell', 'reader', 'partition'] as const,
      registers,
    }),
    logReadFailures: new Counter({
      name: 'ingest_log_read_failures_total',
      help: 'Failed fetches, commits and joins by readers of the replicated log',
      registers,
    }),
    logLostRecords: new Counter({
      name: 'ingest_log_lost_records_total',
      help: 'Records that the retention of a topic removed before they were delivered',
      registers,
    }),
  };
}

function insertMetrics(registry: Registry) {
  const registers = [registry];
  return {
    insertSeconds: new Histogram({
      name: 'ingest_insert_seconds',
      help: 'Duration of a successful insert of a block into ClickHouse',
      labelNames: ['table'] as const,
      buckets: INSERT_BUCKETS,
      registers,
    }),
    insertRows: new Counter({
      name: 'ingest_insert_rows_total',
      help: 'Rows inserted into ClickHouse',
      labelNames: ['table'] as const,
      registers,
    }),
    insertFailures: new Counter({
      name: 'ingest_insert_failures_total',
      help: 'Failed insert attempts, by kind: data rejected, request rejected, or no response',
      labelNames: ['table', 'kind'] as const,
      registers,
    }),
    insertPresent: new Counter({
      name: 'ingest_insert_already_present_total',
      help: 'Blocks that were already in ClickHouse, from an earlier attempt',
      labelNames: ['table'] as const,
      registers,
    }),
    rowsParked: new Counter({
      name: 'ingest_rows_parked_total',
      help: 'Rows permanently rejected by ClickHouse and stored in rejected_events',
      labelNames: ['table'] as const,
      registers,
    }),
  };
}

function outboxMetrics(registry: Registry) {
  const registers = [registry];
  return {
    outboxRows: new Counter({
      name: 'ingest_outbox_rows_total',
      help: 'Rows written to Postgres from the spool',
      labelNames: ['table'] as const,
      registers,
    }),
    outboxRefused: new Counter({
      name: 'ingest_outbox_rows_refused_total',
      help: 'Rows permanently rejected by Postgres; their source events are in the warehouse',
      labelNames: ['table'] as const,
      registers,
    }),
    postgresItems: new Counter({
      name: 'ingest_postgres_items_total',
      help: 'Reads and writes that Postgres completed for requests, by statement',
      labelNames: ['statement'] as const,
      registers,
    }),
    postgresSeconds: new Histogram({
      name: 'ingest_postgres_seconds',
      help: 'Duration of a read or write in Postgres for a request, including the wait for earlier ones',
      labelNames: ['statement'] as const,
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    outboxSeconds: new Histogram({
      name: 'ingest_outbox_seconds',
      help: 'Duration of writing the rows of a segment to Postgres',
      buckets: INSERT_BUCKETS,
      registers,
    }),
    postgresGroups: new Counter({
      name: 'ingest_postgres_statements_total',
      help: 'Postgres statements executed for the reads and writes of requests',
      labelNames: ['statement'] as const,
      registers,
    }),
  };
}

function gatewayMetrics(registry: Registry) {
  const registers = [registry];
  return {
    gatewayWebhooks: new Counter({
      name: 'ingest_gateway_webhooks_total',
      help: 'Webhooks from the payment gateway, by outcome: stored, duplicate, forged, too large or unavailable',
      labelNames: ['outcome'] as const,
      registers,
    }),
    gatewaySecretsUnreadable: new Gauge({
      name: 'ingest_gateway_secrets_unreadable',
      help: 'Webhook secrets of workspaces that cannot be decrypted with ENCRYPTION_KEYS',
      aggregator: 'max',
      registers,
    }),
  };
}
