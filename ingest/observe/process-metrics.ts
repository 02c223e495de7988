// Metrics of the main thread: work with Postgres, and the quarantine of the whole node.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BuildInfo } from '../../schema/environment/build-info.ts';
import { LATENCY_BUCKETS } from './buckets.ts';

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

/** `collect` is called before each scrape and sets the gauges. */
export function createProcessMetrics(build: BuildInfo, collect: () => void) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'ingest_' });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1; the labels identify the running release',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ ...build }, 1);
  return {
    registry,
    postgresReachable: new Gauge({
      name: 'ingest_postgres_reachable',
      help: '1 while the directory of SDK keys is in sync with Postgres, otherwise 0',
      registers,
      collect,
    }),
    directoryAgeSeconds: new Gauge({
      name: 'ingest_directory_age_seconds',
      help: 'Time since Postgres last confirmed the directory in use',
      registers,
    }),
    directoryKeys: new Gauge({
      name: 'ingest_directory_sdk_keys',
      help: 'Live SDK keys in memory',
      registers,
    }),
    campaigns: new Gauge({
      name: 'ingest_campaigns',
      help: 'Live in-app campaigns in memory',
      registers,
    }),
    watchedWorkspaces: new Gauge({
      name: 'ingest_watched_workspaces',
      help: 'Workspaces whose requests are sampled for a live view',
      registers,
    }),
    capsUncountedScopes: new Gauge({
      name: 'ingest_caps_uncounted_scopes',
      help: 'SDK keys and organizations whose caps are not enforced because all quota counters are in use',
      registers,
    }),
    quarantineFiles: new Gauge({
      name: 'ingest_quarantine_files',
      help: 'Quarantined files with undeliverable data; npm run spool -- requeue restores the intact rows',
      labelNames: ['cell'] as const,
      registers,
    }),
    quarantineBytes: new Gauge({
      name: 'ingest_quarantine_bytes',
      help: 'Bytes in quarantined files',
      labelNames: ['cell'] as const,
      registers,
    }),
    quarantineOldestSeconds: new Gauge({
      name: 'ingest_quarantine_oldest_seconds',
      help: 'Age of the oldest quarantined file; 0 if none',
      labelNames: ['cell'] as const,
      registers,
    }),
    ...settlingMetrics(registry),
    ...requestGroupMetrics(registry),
    capsCountedAlone: new Counter({
      name: 'ingest_caps_counted_alone_total',
      help: 'Events admitted while this node enforced caps without Postgres',
      registers,
    }),
  };
}

function requestGroupMetrics(registry: Registry) {
  const registers = [registry];
  return {
    postgresItems: new Counter({
      name: 'ingest_postgres_items_total',
      help: 'Reads and writes that Postgres completed for requests, by statement',
      labelNames: ['statement'] as const,
      registers,
    }),
    postgresStatements: new Counter({
      name: 'ingest_postgres_statements_total',
      help: 'Postgres statements executed for the reads and writes of requests',
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
  };
}

function settlingMetrics(registry: Registry) {
  const registers = [registry];
  return {
    eventsSettledUntil: new Gauge({
      name: 'ingest_events_settled_until_seconds',
      help: 'The last day whose events are settled, in seconds since 1970; queries over later days are slower',
      labelNames: ['cell'] as const,
      registers,
    }),
    settlingFailures: new Counter({
      name: 'ingest_settling_failures_total',
      help: 'Failed attempts to settle events; each is retried',
      labelNames: ['cell'] as const,
      registers,
    }),
  };
}
