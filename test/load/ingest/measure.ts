// One measurement: a fresh server, warmed up, the load, and then the wait until every acknowledged
// event is in ClickHouse, which belongs to what they cost. It fails when one is missing or doubled.

import type { Engines } from './engines.ts';
import type { LoadReport } from './generator.ts';
import { type Load, startLoad } from './load.ts';
import { apart, shared } from './pinning.ts';
import {
  type Cpu,
  cpuBetween,
  cpuOf,
  forgetPeak,
  residentMb,
  totalSeconds,
} from './process-usage.ts';
import { type Scenario, threadsOf } from './scenarios.ts';
import { type Server, startServer } from './servers.ts';
import { checkStored, untilSent, untilStored } from './stored.ts';

export type MeasureOptions = {
  readonly engines: Engines;
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** For ours: options of node's, such as a profiler's. */
  readonly execArgv: readonly string[];
};

/** Seconds of CPU are per million acknowledged events. */
export type Figures = {
  readonly eventsPerSecond: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverCpuSeconds: number;
  /** Of which in the kernel. */
  readonly serverKernelSeconds: number;
  /** Of the server, until the last answer: without what drains afterwards. */
  readonly serverCpuSecondsUntilAnswered: number;
  readonly clickhouseCpuSeconds: number;
  readonly cpuSeconds: number;
  readonly loadCpuSeconds: number;
  readonly syncedBytesPerEvent: number;
  readonly peakMb: number;
  /** From the last answer until all is visible. */
  readonly drainSeconds: number;
  readonly drainedEventsPerSecond: number;
  /** How many times as fast as the load that filled the spool; 0 where nothing was stopped. */
  readonly drainedTimesLoad: number;
  readonly eventBytes: number;
  readonly failedRequests: number;
};

export type Measurement = { readonly figures: Figures; readonly durability: string };

/** Of its CPU: Node has compiled then what it does often, also where it gets little of a core. */
const WARM_UP_CPU_SECONDS = 3;
const WARM_UP_STEP_SECONDS = 1;
const WARM_UP_STEPS_MAX = 15;
export const CONNECTIONS = 32;
/** Compressed bodies are made beforehand, each for one request; when they are used up, it ends. */
const GZIP_BODIES_PER_SECOND = 1_500;
/** Of them, for warming up. */
const GZIP_WARM_UP_SECONDS = 3;

export async function measure(scenario: Scenario, options: MeasureOptions): Promise<Measurement> {
  const { engines, signal } = options;
  const layout = scenario.isSpread ? shared() : apart();
  engines.pin(layout.others);
  await engines.clear();
  const server = await startServer(scenario.server, {
    engines,
    layout,
    threads: threadsOf(scenario),
    execArgv: options.execArgv,
  });
  try {
    const { eventsPerBatch, isGzipped } = scenario;
    const gzipSeconds = options.seconds + GZIP_WARM_UP_SECONDS;
    const load = await startLoad(
      {
        port: server.port,
        writeKey: engines.tenant.writeKey,
        eventsPerBatch,
        connections: CONNECTIONS,
        gzipBodies: isGzipped ? Math.round(GZIP_BODIES_PER_SECOND * gzipSeconds) : undefined,
      },
      layout.others,
      signal,
    );
    try {
      return await underLoad(scenario, options, server, load);
    } finally {
      load.stop();
    }
  } finally {
    await server.stop();
  }
}

async function underLoad(
  { isGzipped, isClickHouseAway, eventsPerBatch }: Scenario,
  { engines, seconds, signal }: MeasureOptions,
  server: Server,
  load: Load,
): Promise<Measurement> {
  const warm = await warmUp(load, server, isGzipped, signal);
  await untilStored(engines, server, warm, signal);
  await untilSent(server, signal);
  if (isClickHouseAway) engines.pauseClickHouse();
  forgetPeak(server.pid);
  const before = await usage(engines, server);
  const report = await load.run({ seconds });
  const answered = await usage(engines, server);
  const answeredAtMs = performance.now();
  if (isClickHouseAway) engines.resumeClickHouse();
  const least = warm + report.acknowledged;
  const storedBefore = isClickHouseAway ? warm : await stored(engines, server);
  await untilStored(engines, server, least, signal);
  const drainSeconds = (performance.now() - answeredAtMs) / 1000;
  await untilSent(server, signal);
  const after = await usage(engines, server);
  const drained = { events: least - storedBefore, seconds: drainSeconds, isClickHouseAway };
  const peakMb = residentMb(server.pid).peak;
  // What failed may have been stored all the same.
  const most = least + report.failed * eventsPerBatch;
  await checkStored(engines, server, { least, most });
  if (report.failed > 0) process.stderr.write(`\nthe first failure: ${report.firstFailure}\n`);
  const figures = figuresOf(report, { before, answered, after }, drained);
  return {
    figures: { ...figures, peakMb, eventBytes: load.eventBytes },
    durability: server.durability,
  };
}

/** Returns how many events were acknowledged. */
async function warmUp(
  load: Load,
  server: Server,
  isGzipped: boolean,
  signal: AbortSignal,
): Promise<number> {
  const start = totalSeconds(cpuOf(server.pid));
  let acknowledged = 0;
  for (let step = 0; step < (isGzipped ? GZIP_WARM_UP_SECONDS : WARM_UP_STEPS_MAX); step++) {
    signal.throwIfAborted();
    const warm = await load.run({ seconds: WARM_UP_STEP_SECONDS });
    if (warm.failed > 0) throw new Error(`It failed while warming up: ${warm.firstFailure}`);
    acknowledged += warm.acknowledged;
    if (totalSeconds(cpuOf(server.pid)) - start >= WARM_UP_CPU_SECONDS) break;
  }
  return acknowledged;
}

type Usage = { readonly server: Cpu; readonly clickhouse: number; readonly syncedBytes: number };

async function usage({ clickhouse }: Engines, server: Server): Promise<Usage> {
  const pids = [clickhouse.pid, ...server.helperPids];
  return {
    server: cpuOf(server.pid),
    clickhouse: pids.reduce((sum, pid) => sum + totalSeconds(cpuOf(pid)), 0),
    syncedBytes: (await server.metrics())?.syncedBytes ?? 0,
  };
}

async function stored({ ask }: Engines, { table }: Server): Promise<number> {
  return table === undefined ? 0 : Number(await ask(`SELECT count() FROM ${table}`));
}

function figuresOf(
  report: LoadReport,
  { before, answered, after }: Readonly<Record<'before' | 'answered' | 'after', Usage>>,
  drained: { events: number; seconds: number; isClickHouseAway: boolean },
): Omit<Figures, 'peakMb' | 'eventBytes'> {
  const { acknowledged, seconds } = report;
  const perMillion = (value: number) => (value * 1e6) / acknowledged;
  const server = cpuBetween(before.server, after.server);
  const serverCpuSeconds = perMillion(totalSeconds(server));
  const clickhouseCpuSeconds = perMillion(after.clickhouse - before.clickhouse);
  const eventsPerSecond = acknowledged / seconds;
  const drainedEventsPerSecond = drained.events / drained.seconds;
  return {
    eventsPerSecond,
    requestsPerSecond: (report.requests - report.failed) / seconds,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    serverCpuSeconds,
    serverKernelSeconds: perMillion(server.systemSeconds),
    serverCpuSecondsUntilAnswered: perMillion(
      totalSeconds(cpuBetween(before.server, answered.server)),
    ),
    clickhouseCpuSeconds,
    cpuSeconds: serverCpuSeconds + clickhouseCpuSeconds,
    loadCpuSeconds: perMillion(report.cpuSeconds),
    syncedBytesPerEvent: (after.syncedBytes - before.syncedBytes) / acknowledged,
    drainSeconds: drained.seconds,
    drainedEventsPerSecond,
    drainedTimesLoad: drained.isClickHouseAway ? drainedEventsPerSecond / eventsPerSecond : 0,
    failedRequests: report.failed,
  };
}
