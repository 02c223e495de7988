// LOG_BROKERS compared with the spool: three brokers on the same machine as ingest, ClickHouse,
// Postgres and the load.

import { hasBrokers } from '../../test/harness/brokers.ts';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { interruptible } from '../ingest/interruptible.ts';
import { machineText } from '../ingest/machine.ts';
import type { Measurement } from '../ingest/measure.ts';
import { takeRounds } from '../ingest/rounds.ts';
import type { Scenario } from '../ingest/scenarios.ts';
import { type Results, shown, spreadOf, spreadsOf } from '../ingest/spread.ts';
import { printTable, type Row } from '../print-table.ts';
import { hungRow, takeHungBrokers } from './hung-brokers.ts';
import { COST_SCENARIOS, HUNG } from './scenarios.ts';

export const logBench: Bench = {
  name: 'log',
  title:
    '/v1/batch with the replicated log and with the spool; ingest, three brokers, the databases and the load share the same cores',
  isOnDemand: true,
  run: options => interruptible(signal => run(options, signal)),
};

async function run(options: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  if (!hasBrokers()) return SKIPPED;
  const isChosen = ({ key }: Scenario) => options.only?.split(',').includes(key) ?? true;
  const chosen = COST_SCENARIOS.filter(isChosen);
  const machine = machineText();
  const results: Results =
    chosen.length === 0 ? new Map() : await takeRounds(chosen, options, signal);
  const hung = isChosen(HUNG) ? await takeHungBrokers(options, signal) : [];
  const scenarios = Array.from(results, ([scenario, all]) => [
    scenario.key,
    { ...derivedOf(all), ...spreadsOf(all), ofSpool: ofSpool(results, scenario) },
  ]);
  return {
    rows: chosen.map(scenario => rowOf(scenario, results)),
    notes: [...notes(options.rounds), ...hungTable(hung), machine],
    figures: {
      machine,
      seconds: options.seconds,
      scenarios: Object.fromEntries(scenarios),
      hung: hung.map(({ figures }) => figures),
    },
  };
}

const SKIPPED: BenchResult = {
  rows: [],
  notes: ['Skipped: it needs Java, and the brokers that `npm run brokers` installs.'],
  figures: { skipped: true },
};

function rowOf(scenario: Scenario, results: Results): Row {
  const all = results.get(scenario)!;
  const figures = spreadsOf(all);
  const { megabytesPerSecond, brokersCpuSecondsPerGigabyte, ingestCpuSeconds } = derivedOf(all);
  const ratio = ofSpool(results, scenario);
  const hasInserter = figures.inserterCpuSeconds.max > 0;
  const hasLog = scenario.server !== 'ours';
  return {
    load: scenario.name,
    'MB/s': shown(megabytesPerSecond, 1),
    'p50 ms': shown(figures.p50Ms, 1),
    'p99 ms': shown(figures.p99Ms, 0),
    'CPU s/M: ingest': shown(ingestCpuSeconds, 2),
    'of spool': ratio === undefined ? '' : shown(ratio, 2),
    'accepts + inserts': hasInserter
      ? `${figures.serverCpuSeconds.median.toFixed(2)} + ${figures.inserterCpuSeconds.median.toFixed(2)}`
      : '',
    ClickHouse: figures.clickhouseCpuSeconds.median.toFixed(2),
    Postgres: figures.postgresCpuSeconds.median.toFixed(2),
    brokers: hasLog ? shown(figures.brokersCpuSeconds, 2) : '',
    'brokers s/GB': hasLog ? shown(brokersCpuSecondsPerGigabyte, 1) : '',
    'ingest peak MB': figures.peakMb.max.toFixed(0),
    'brokers MB': hasLog ? figures.brokersMb.max.toFixed(0) : '',
    failed: figures.failedRequests.max,
  };
}

function derivedOf(all: readonly Measurement[]) {
  const each = (value: (measurement: Measurement) => number) => spreadOf(all.map(value));
  return {
    megabytesPerSecond: each(
      ({ figures, eventBytes }) => (figures.eventsPerSecond * eventBytes) / 1e6,
    ),
    brokersCpuSecondsPerGigabyte: each(
      ({ figures, eventBytes }) => (figures.brokersCpuSeconds * 1000) / eventBytes,
    ),
    ingestCpuSeconds: each(ingestCpuOf),
  };
}

function ingestCpuOf({ figures }: Measurement): number {
  return figures.serverCpuSeconds + figures.inserterCpuSeconds;
}

/** The CPU time of ingest, relative to the spool under the same load in the same round. */
function ofSpool(results: Results, { key }: Scenario) {
  if (key.startsWith('spool')) return undefined;
  const spool = key.replace(/^\w+-/, 'spool-');
  const [own, other] = [key, spool].map(
    wanted => Array.from(results).find(([scenario]) => scenario.key === wanted)?.[1],
  );
  if (own === undefined || other === undefined) return undefined;
  return spreadOf(
    own.map((measurement, round) => ingestCpuOf(measurement) / ingestCpuOf(other[round]!)),
  );
}

function notes(rounds: number): string[] {
  return [
    'CPU s/M: CPU seconds of all threads per million acknowledged events, until the last one is in ClickHouse and Postgres. ' +
      'Ingest includes the threads that insert; "two processes" shows their share. Brokers: all three together.',
    'Latency at 20 MB/s is measured from the time at which a request was due.',
    'Verified: every acknowledged event is in ClickHouse exactly once.',
    ...(rounds > 1 ? [`Medians of ${rounds} rounds, with the lowest and highest values.`] : []),
  ];
}

function hungTable(hung: readonly Measurement[]): string[] {
  if (hung.length === 0) return [];
  return [
    `\nA broker is stopped (SIGSTOP) for 20 s at 20 MB/s\n\n${printTable(hung.map(hungRow))}`,
  ];
}
