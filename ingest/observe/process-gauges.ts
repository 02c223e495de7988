import { systemClock } from '../clock.ts';
import type { PostgresFollower } from '../follow-postgres.ts';
import type { QuarantinedByCell } from '../quarantine-watch.ts';
import type { ProcessMetrics } from './process-metrics.ts';

type Observed = {
  /** Undefined until it is started. */
  readonly follower: Pick<PostgresFollower, 'directory' | 'campaigns'> | undefined;
  readonly watchedWorkspaces: number;
  readonly uncountedScopes: number;
  readonly quarantined: QuarantinedByCell;
};

/** Sets the gauges of the main thread for a scrape. */
export function setProcessGauges(metrics: ProcessMetrics, observed: Observed): void {
  const { follower, watchedWorkspaces, uncountedScopes, quarantined } = observed;
  const state = follower?.directory.state();
  metrics.postgresReachable.set(state?.isReachable ? 1 : 0);
  metrics.directoryAgeSeconds.set((state?.ageMs ?? 0) / 1000);
  metrics.directoryKeys.set(state?.sdkKeys ?? 0);
  metrics.campaigns.set(follower?.campaigns.size ?? 0);
  metrics.watchedWorkspaces.set(watchedWorkspaces);
  metrics.capsUncountedScopes.set(uncountedScopes);
  const nowMs = systemClock.nowMs();
  for (const [cell, found] of Object.entries(quarantined)) {
    metrics.quarantineFiles.set({ cell }, found.files);
    metrics.quarantineBytes.set({ cell }, found.bytes);
    const ageMs = found.oldestAtMs === undefined ? 0 : nowMs - found.oldestAtMs;
    metrics.quarantineOldestSeconds.set({ cell }, Math.max(0, ageMs / 1000));
  }
}
