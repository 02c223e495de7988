// One measurement: a new server, its warm-up, the load, and then the wait until every acknowledged
// event is in ClickHouse, which is part of the cost. Fails if an event is missing or duplicated.

import { brokerPids, type Engines } from './engines.ts';
import { type Figures, figuresOf, usageOf } from './figures.ts';
import { type Load, startLoad } from './load.ts';
import { apart, shared } from './pinning.ts';
import { forgetPeak, residentMb } from './process-usage.ts';
import { type Sample, startSampling } from './samples.ts';
import { type Scenario, threadsOf } from './scenarios.ts';
import { type Server, startServer } from './servers.ts';
import { checkStored, storedRows, untilSent, untilStored } from './stored.ts';
import { warmUp } from './warm-up.ts';
import { startWatcher } from './watcher.ts';

export type MeasureOptions = {
  readonly engines: Engines;
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Options of node for our server, such as those of a profiler. */
  readonly execArgv: readonly string[];
  /** Something that happens while the load runs. */
  readonly disturb?: (signal: AbortSignal) => Promise<void>;
};

export type Measurement = {
  readonly figures: Figures & { readonly peakMb: number; readonly brokersMb: number };
  readonly durability: string;
  /** The mean size, including an event's share of the envelope. */
  readonly eventBytes: number;
  /** Empty unless the scenario requires samples. */
  readonly samples: readonly Sample[];
};

/** Compressed bodies are prepared, one per request; the run ends when they are used up. */
const GZIP_BODIES_PER_SECOND = 1_500;
/** The part of them that is used for the warm-up. */
const GZIP_WARM_UP_SECONDS = 3;

export async function measure(scenario: Scenario, options: MeasureOptions): Promise<Measurement> {
  const { engines, signal, execArgv } = options;
  const layout = scenario.isSpread ? shared() : apart();
  const threads = threadsOf(scenario);
  engines.pin(layout.others);
  await engines.clear();
  const server = await startServer(scenario.server, { engines, layout, threads, execArgv });
  try {
    const { eventsPerBatch, isGzipped } = scenario;
    const gzipBodies = GZIP_BODIES_PER_SECOND * (options.seconds + GZIP_WARM_UP_SECONDS);
    const load = await startLoad(
      {
        ports: [server.port],
        writeKey: engines.tenant.writeKey,
        eventsPerBatch,
        connections: scenario.connections,
        idleConnections: scenario.idleConnections,
        gzipBodies: isGzipped ? Math.round(gzipBodies) : undefined,
      },
      layout.others,
      signal,
    );
    try {
      return await watched(scenario, options, server, load);
    } finally {
      load.stop();
    }
  } finally {
    // A paused ClickHouse would delay the server's exit.
    engines.resumeClickHouse();
    await server.stop();
  }
}

/** Runs the load, with an open live view if the scenario requires it. */
async function watched(
  scenario: Scenario,
  options: MeasureOptions,
  server: Server,
  load: Load,
): Promise<Measurement> {
  if (!scenario.isWatched) return underLoad(scenario, options, server, load);
  const watcher = startWatcher(server, options.engines.tenant.workspaceId);
  const measurement = await underLoad(scenario, options, server, load).finally(watcher.stop);
  watcher.requireNews();
  return measurement;
}

async function underLoad(
  scenario: Scenario,
  { engines, seconds, signal, disturb }: MeasureOptions,
  server: Server,
  load: Load,
): Promise<Measurement> {
  const { isGzipped, isClickHouseAway, eventsPerBatch, eventsPerSecond } = scenario;
  const warm = await warmUp(load, server, signal, isGzipped ? GZIP_WARM_UP_SECONDS : undefined);
  await untilStored(engines, server, warm.acknowledged, signal);
  await untilSent(server, signal);
  if (isClickHouseAway) engines.pauseClickHouse();
  forgetPeak(server.pid);
  const before = await usageOf(engines, server);
  const sampling = scenario.isSampled ? startSampling(server) : undefined;
  const rate = eventsPerSecond === undefined ? {} : { rate: eventsPerSecond / eventsPerBatch };
  const [report] = await Promise.all([load.run({ seconds, ...rate }), disturb?.(signal)]).finally(
    () => sampling?.stop(),
  );
  const answered = await usageOf(engines, server);
  const answeredAtMs = performance.now();
  if (isClickHouseAway) engines.resumeClickHouse();
  const least = warm.acknowledged + report.acknowledged;
  const storedBefore = isClickHouseAway ? warm.acknowledged : await storedRows(engines, server);
  await untilStored(engines, server, least, signal);
  const drained = {
    events: least - storedBefore,
    seconds: (performance.now() - answeredAtMs) / 1000,
    isAfterOutage: isClickHouseAway,
  };
  await untilSent(server, signal);
  const after = await usageOf(engines, server);
  const peakMb = residentMb(server.pid).peak;
  const brokersMb = brokerPids(engines.brokers).reduce((sum, pid) => sum + residentMb(pid).now, 0);
  // Failed requests may have been stored.
  const most = least + (warm.refused + report.failed) * eventsPerBatch;
  const doubtfulIds = [...warm.failedIds, ...report.failedIds];
  await checkStored(engines, server, { least, most, doubtfulIds });
  if (report.failed > 0) process.stderr.write(`\nthe first failure: ${report.firstFailure}\n`);
  return {
    figures: { ...figuresOf(report, { before, answered, after }, drained), peakMb, brokersMb },
    durability: server.durability,
    eventBytes: load.eventBytes,
    samples: sampling?.stop() ?? [],
  };
}
