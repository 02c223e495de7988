import { brokerPids, type Engines } from './engines.ts';
import type { LoadReport } from './generator.ts';
import { type Cpu, cpuBetween, cpuOf, familySeconds, totalSeconds } from './process-usage.ts';
import type { Server } from './servers.ts';

/** CPU seconds are per million acknowledged events. */
export type Figures = {
  readonly eventsPerSecond: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly serverCpuSeconds: number;
  /** The part of it that was spent in the kernel. */
  readonly serverKernelSeconds: number;
  /** The CPU time of the server until the last response, without the later delivery. */
  readonly serverCpuSecondsUntilAnswered: number;
  /** The CPU time of a process of ingest that only inserts, not included in the server's. */
  readonly inserterCpuSeconds: number;
  readonly brokersCpuSeconds: number;
  readonly clickhouseCpuSeconds: number;
  /** The CPU time of the server, ClickHouse and Postgres together. */
  readonly cpuSeconds: number;
  readonly postgresCpuSeconds: number;
  readonly loadCpuSeconds: number;
  readonly syncedBytesPerEvent: number;
  /** From the last response until all rows are visible. */
  readonly drainSeconds: number;
  readonly drainedEventsPerSecond: number;
  /**
   * The speed of draining the spool, relative to the load that filled it; 0 if ClickHouse was not
   * stopped.
   */
  readonly drainedTimesLoad: number;
  readonly failedRequests: number;
  /** Of them, those with a 503 and a Retry-After. */
  readonly unavailableRequests: number;
  readonly longestGapMs: number;
  readonly longestAnswerMs: number;
};

export type Usage = {
  readonly server: Cpu;
  readonly inserter: number;
  readonly brokers: number;
  readonly clickhouse: number;
  readonly postgres: number;
  readonly syncedBytes: number;
};

export type Drained = {
  readonly events: number;
  readonly seconds: number;
  readonly isAfterOutage: boolean;
};

export async function usageOf(
  { clickhouse, postgres, brokers }: Engines,
  server: Server,
): Promise<Usage> {
  return {
    server: cpuOf(server.pid),
    inserter: secondsOf(server.inserterPids),
    brokers: secondsOf(brokerPids(brokers)),
    clickhouse: secondsOf([clickhouse.pid, ...server.helperPids]),
    postgres: familySeconds(postgres.pid),
    syncedBytes: (await server.metrics())?.syncedBytes ?? 0,
  };
}

function secondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + totalSeconds(cpuOf(pid)), 0);
}

export function figuresOf(
  report: LoadReport,
  { before, answered, after }: Readonly<Record<'before' | 'answered' | 'after', Usage>>,
  drained: Drained,
): Figures {
  const { acknowledged, seconds } = report;
  const perMillion = (value: number) => (value * 1e6) / acknowledged;
  const server = cpuBetween(before.server, after.server);
  const serverCpuSeconds = perMillion(totalSeconds(server));
  const postgresCpuSeconds = perMillion(after.postgres - before.postgres);
  const clickhouseCpuSeconds = perMillion(after.clickhouse - before.clickhouse);
  const eventsPerSecond = acknowledged / seconds;
  const drainedEventsPerSecond = drained.events / drained.seconds;
  const untilAnswered = cpuBetween(before.server, answered.server);
  return {
    eventsPerSecond,
    requestsPerSecond: (report.requests - report.failed) / seconds,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    maxMs: report.maxMs,
    serverCpuSeconds,
    serverKernelSeconds: perMillion(server.systemSeconds),
    serverCpuSecondsUntilAnswered: perMillion(totalSeconds(untilAnswered)),
    inserterCpuSeconds: perMillion(after.inserter - before.inserter),
    brokersCpuSeconds: perMillion(after.brokers - before.brokers),
    clickhouseCpuSeconds,
    cpuSeconds: serverCpuSeconds + clickhouseCpuSeconds + postgresCpuSeconds,
    postgresCpuSeconds,
    loadCpuSeconds: perMillion(report.cpuSeconds),
    syncedBytesPerEvent: (after.syncedBytes - before.syncedBytes) / acknowledged,
    drainSeconds: drained.seconds,
    drainedEventsPerSecond,
    drainedTimesLoad: drained.isAfterOutage ? drainedEventsPerSecond / eventsPerSecond : 0,
    failedRequests: report.failed,
    unavailableRequests: report.unavailable,
    longestGapMs: report.longestGapMs,
    longestAnswerMs: report.longestAnswerMs,
  };
}
