import { residentMb } from './process-usage.ts';
import type { Server } from './servers.ts';

export type Sample = {
  /** Since the start of the load. */
  readonly atSeconds: number;
  readonly residentMb: number;
  readonly oldestUnsentSeconds: number;
  readonly unsentMb: number;
};

const INTERVAL_MS = 1_000;

/** Samples a server once a second until stopped. */
export function startSampling(server: Server): { stop: () => readonly Sample[] } {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  let isUnderWay = false;
  const look = async () => {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      const atSeconds = (performance.now() - startedMs) / 1000;
      const metrics = await server.metrics();
      samples.push({
        atSeconds,
        residentMb: residentMb(server.pid).now,
        oldestUnsentSeconds: metrics?.oldestUnsentSeconds ?? 0,
        unsentMb: (metrics?.unsentBytes ?? 0) / 1024 ** 2,
      });
    } catch {
      // Skips this sample: on a busy machine, a thread may miss ingest's time limit for a scrape.
    } finally {
      isUnderWay = false;
    }
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  void look();
  return {
    stop: () => {
      clearInterval(timer);
      return samples;
    },
  };
}
