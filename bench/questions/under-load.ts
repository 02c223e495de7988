// Sends events while questions run: the real ingest and a load generator, on the same cores as ClickHouse.

import type { Engines } from '../ingest/engines.ts';
import { startLoad } from '../ingest/load.ts';
import { shared } from '../ingest/pinning.ts';
import { startServer } from '../ingest/servers.ts';

export const EVENTS_PER_SECOND = 20_000;
const EVENTS_PER_BATCH = 100;
const CONNECTIONS = 64;
/** By then the first events are in ClickHouse, and merges have begun. */
const WARM_UP_SECONDS = 20;
/** In slices, because the load reports at the end of each. */
const SLICE_SECONDS = 5;

export type Arrived = { readonly eventsPerSecond: number; readonly failedRequests: number };

/** Runs `ask` while events arrive. */
export async function whileEventsArrive(
  engines: Engines,
  signal: AbortSignal,
  ask: () => Promise<void>,
): Promise<Arrived> {
  const layout = shared();
  const server = await startServer('ours', { engines, layout, threads: 2, execArgv: [] });
  const load = await startLoad(
    {
      ports: [server.port],
      writeKey: engines.tenant.writeKey,
      eventsPerBatch: EVENTS_PER_BATCH,
      connections: CONNECTIONS,
      idleConnections: 0,
      gzipBodies: undefined,
    },
    layout.others,
    signal,
  );
  try {
    const run = (seconds: number) =>
      load.run({ seconds, rate: EVENTS_PER_SECOND / EVENTS_PER_BATCH });
    await run(WARM_UP_SECONDS);
    let isAsked = false;
    const asking = ask().finally(() => {
      isAsked = true;
    });
    const sums = { events: 0, seconds: 0, failedRequests: 0 };
    // An error of `ask` ends the loop, and is thrown below.
    while (!isAsked) {
      const { acknowledged, seconds, failed } = await run(SLICE_SECONDS);
      sums.events += acknowledged;
      sums.seconds += seconds;
      sums.failedRequests += failed;
    }
    await asking;
    return {
      eventsPerSecond: sums.events / sums.seconds,
      failedRequests: sums.failedRequests,
    };
  } finally {
    load.stop();
    await server.stop();
  }
}
