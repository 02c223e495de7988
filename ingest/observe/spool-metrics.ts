// The metrics of what ingest has acknowledged and not yet delivered: the spool, the replicated log and
// their rows.

import { LATENCY_BUCKETS } from './buckets.ts';
import { Counter, Gauge, Histogram, type Registry } from './prometheus.ts';

/** What waits on the disk, and how fast it gets there. */
export function spoolMetrics(registry: Registry) {
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
      help: 'Free bytes on the spool’s disk; below 256 MB, ingest accepts nothing',
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
  };
}

/** Failed writes, and damage found at startup. */
export function spoolFaultMetrics(registry: Registry) {
  const registers = [registry];
  return {
    spoolFailures: new Counter({
      name: 'ingest_spool_failures_total',
      help: 'Failed writes, syncs, reads and file creations in the spool',
      registers,
    }),
    spoolTornBytes: new Counter({
      name: 'ingest_spool_torn_bytes_total',
      help: 'Unacknowledged bytes truncated at startup from the end of the last written segment',
      registers,
    }),
    spoolEndlessSegments: new Counter({
      name: 'ingest_spool_endless_segments_total',
      help: 'Segments whose end was found at startup to be truncated or missing',
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
export function logMetrics(registry: Registry) {
  const registers = [registry];
  return {
    logAppendSeconds: new Histogram({
      name: 'ingest_log_append_seconds',
      help: 'Time until the in-sync replicas acknowledged a record in the replicated log',
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    logAppendBytes: new Counter({
      name: 'ingest_log_append_bytes_total',
      help: 'Bytes of acknowledged records in the replicated log',
      registers,
    }),
    logAppendFailures: new Counter({
      name: 'ingest_log_append_failures_total',
      help: 'Records that were not acknowledged in time, and failed connections to brokers',
      registers,
    }),
    logLagRecords: new Gauge({
      name: 'ingest_log_lag_records',
      help: 'Records in the replicated log not yet delivered to ClickHouse (clickhouse) or Postgres (outbox), by partition',
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
      help: 'Records that topic retention deleted before they were delivered',
      registers,
    }),
  };
}

/** Counted across restarts, from totals in the spool; set at each scrape. */
export function rowMetrics(registry: Registry) {
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
      help: 'The longest event loop delay of any worker thread since the last scrape',
      aggregator: 'max',
      registers,
    }),
  };
}
