// Metrics that only the main thread knows: how well it keeps in step with Postgres, and what of the
// whole node is in quarantine.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { BuildInfo } from '../../schema/environment/build-info.ts';

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

/** `collect` is called before each scrape and sets the gauges. */
export function createProcessMetrics(build: BuildInfo, collect: () => void) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'ingest_' });
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1; its labels say which release runs',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ ...build }, 1);
  return {
    registry,
    postgresReachable: new Gauge({
      name: 'ingest_postgres_reachable',
      help: '1 while the directory of write keys follows Postgres, else 0',
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
      help: 'Workspaces of which samples are taken for a live view',
      registers,
    }),
    capsUncountedScopes: new Gauge({
      name: 'ingest_caps_uncounted_scopes',
      help: 'Capped scopes without a counter because there are too many; their caps do not hold',
      registers,
    }),
    quarantineFiles: new Gauge({
      name: 'ingest_quarantine_files',
      help: 'Files on disk that hold what could not be delivered; npm run spool brings back what can be',
      labelNames: ['cell'] as const,
      registers,
    }),
    quarantineBytes: new Gauge({
      name: 'ingest_quarantine_bytes',
      help: 'Bytes of these files',
      labelNames: ['cell'] as const,
      registers,
    }),
    quarantineOldestSeconds: new Gauge({
      name: 'ingest_quarantine_oldest_seconds',
      help: 'Age of the oldest of these files; 0 when there is none',
      labelNames: ['cell'] as const,
      registers,
    }),
    capsCountedAlone: new Counter({
      name: 'ingest_caps_counted_alone_total',
      help: 'Events admitted by caps that this node counted without Postgres',
      registers,
    }),
  };
}
