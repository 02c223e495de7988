// All metrics of a worker thread. Label values come from fixed lists, so a client cannot create
// series. The main thread sums the registries of the threads for /metrics.

import { INSERT_BUCKETS, LATENCY_BUCKETS } from './buckets.ts';
import { Counter, Gauge, Histogram, Registry } from './prometheus.ts';
import { logMetrics, rowMetrics, spoolFaultMetrics, spoolMetrics } from './spool-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  return {
    registry,
    ...requestMetrics(registry),
    ...spoolMetrics(registry),
    ...spoolFaultMetrics(registry),
    ...logMetrics(registry),
    ...insertMetrics(registry),
    ...outboxMetrics(registry),
    ...gatewayMetrics(registry),
    ...rowMetrics(registry),
    ...throttlingMetrics(registry),
  };
}

/** The IDs with the most refusals only, so the number of series is bounded. */
function throttlingMetrics(registry: Registry) {
  const registers = [registry];
  return {
    throttledOrganizations: new Counter({
      name: 'ingest_throttled_organization_requests_total',
      help: 'Requests refused because a cap was reached, by organization; only the organizations with the most refusals',
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
      help: 'Events acknowledged as stored, including duplicates',
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
    outboxSeconds: new Histogram({
      name: 'ingest_outbox_seconds',
      help: 'Time to write a segment’s rows to Postgres',
      buckets: INSERT_BUCKETS,
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
      help: 'Workspaces’ webhook secrets that cannot be decrypted with ENCRYPTION_KEYS',
      aggregator: 'max',
      registers,
    }),
  };
}
