// A steady load for minutes, on all cores together with all other processes. Measures whether the
// rate is sustained, how soon rows can be read, and whether memory stays constant, with and without
// ClickHouse.

import { BESIDE_INGEST_NICE } from '../../embedded/clickhouse/priority.ts';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import type { Row } from '../print-table.ts';
import { interruptible } from './interruptible.ts';
import { machineText } from './machine.ts';
import type { Measurement } from './measure.ts';
import { takeRounds } from './rounds.ts';
import { type Scenario, sustainedScenarios } from './scenarios.ts';
import { shown, spreadOf, spreadsOf } from './spread.ts';

const SECONDS_DEFAULT = 120;

export const sustainedBench: Bench = {
  name: 'sustained',
  title:
    '/v1/batch at a steady rate; ingest, ClickHouse, Postgres and the load generator share the same cores',
  secondsDefault: SECONDS_DEFAULT,
  isOnDemand: true,
  run: options => interruptible(signal => run(options, signal)),
};

async function run(options: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  const machine = machineText();
  const all = sustainedScenarios(options.eventsPerSecond);
  const keys = options.only?.split(',');
  const chosen = all.filter(({ key }) => keys === undefined || keys.includes(key));
  const results = await takeRounds(chosen, options, signal, BESIDE_INGEST_NICE);
  const scenarios = Array.from(results, ([{ key, eventsPerSecond }, measurements]) => {
    const samples = measurements.map(measurement => measurement.samples);
    const own = { ...spreadsOf(measurements), ...memoryOf(measurements), samples };
    const oldestUnsentSeconds = oldestOf(measurements);
    return [key, { eventsPerSecondAsked: eventsPerSecond, oldestUnsentSeconds, ...own }];
  });
  return {
    rows: Array.from(results, ([scenario, measurements]) => rowOf(scenario, measurements)),
    notes: [
      `${options.seconds} seconds each, batches of 100; latency is measured from the time at which a request was due.`,
      'Oldest unsent: the age of the oldest row on disk that was not yet in ClickHouse, measured once a second.',
      'Verified: every acknowledged event is in ClickHouse exactly once.',
      machine,
    ],
    figures: { machine, seconds: options.seconds, scenarios: Object.fromEntries(scenarios) },
  };
}

function rowOf({ name, isClickHouseAway }: Scenario, all: readonly Measurement[]): Row {
  const figures = spreadsOf(all);
  const { atStartMb, atHalfMb, atEndMb } = memoryOf(all);
  return {
    load: name,
    'events/s': shown(figures.eventsPerSecond, 0),
    'p50 ms': shown(figures.p50Ms, 1),
    'p99 ms': shown(figures.p99Ms, 1),
    'max ms': shown(figures.maxMs, 0),
    'oldest unsent s': isClickHouseAway ? '' : shown(oldestOf(all), 1),
    'MB at start, half, end': [atStartMb, atHalfMb, atEndMb].map(mb => shown(mb, 0)).join(', '),
    'peak MB': shown(figures.peakMb, 0),
    'server CPU s/M': shown(figures.serverCpuSeconds, 2),
    'ClickHouse CPU s/M': shown(figures.clickhouseCpuSeconds, 2),
    'all visible after s': shown(figures.drainSeconds, 1),
    'drained/s': isClickHouseAway
      ? `${shown(figures.drainedEventsPerSecond, 0)}: ${shown(figures.drainedTimesLoad, 1)} x the load`
      : '',
    failed: figures.failedRequests.max,
  };
}

/** The worst sample of each round. */
function oldestOf(all: readonly Measurement[]) {
  return spreadOf(
    all.map(({ samples }) =>
      samples.reduce((most, { oldestUnsentSeconds }) => Math.max(most, oldestUnsentSeconds), 0),
    ),
  );
}

function memoryOf(all: readonly Measurement[]) {
  const at = (part: number) =>
    spreadOf(
      all.map(({ samples }) => {
        const index = Math.min(Math.floor(samples.length * part), samples.length - 1);
        return samples[index]?.residentMb ?? 0;
      }),
    );
  return { atStartMb: at(0), atHalfMb: at(0.5), atEndMb: at(1) };
}
