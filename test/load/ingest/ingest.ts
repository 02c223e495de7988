// Ingest beside a server that only parses and one that a user would write, in one run: the same bodies,
// connections and cores, taking turns.

import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { median } from '../measured.ts';
import type { Row } from '../print-table.ts';
import { startEngines } from './engines.ts';
import { interruptible } from './interruptible.ts';
import { CONNECTIONS, type Figures, type Measurement, measure } from './measure.ts';
import { apart, shared } from './pinning.ts';
import { CEILING, FASTIFY, OURS, SCENARIOS, type Scenario } from './scenarios.ts';

type Results = ReadonlyMap<Scenario, readonly Measurement[]>;

type Spread = {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: readonly number[];
};

export const ingestBench: Bench = {
  name: 'ingest',
  title: '/v1/batch beside a server that only parses, and one that a user would write',
  run: options => interruptible(signal => run(options, signal)),
};

async function run(options: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  const { seconds, rounds, only, progress } = options;
  const chosen = SCENARIOS.filter(({ key, name }) => isChosen(only, key, name));
  if (chosen.length === 0) throw new Error(`No scenario has ${only} in its name.`);
  const results = new Map<Scenario, Measurement[]>(chosen.map(scenario => [scenario, []]));
  progress('starting Postgres and ClickHouse');
  const engines = await startEngines();
  const loadBefore = loadavg()[0]!;
  try {
    const steps = chosen.length * rounds;
    for (let round = 0; round < rounds; round++)
      for (const [index, scenario] of chosen.entries()) {
        const step = round * chosen.length + index;
        progress(`${bar(step, steps)} round ${round + 1} of ${rounds}, ${scenario.name}`);
        const execArgv = scenario.server === 'ours' ? options.execArgv : [];
        results
          .get(scenario)!
          .push(await measure(scenario, { engines, seconds, signal, execArgv }));
      }
  } finally {
    await engines.stop();
  }
  return {
    rows: chosen.map(scenario => rowOf(scenario, results)),
    notes: [...notes(results, rounds), ...machine(loadBefore)],
    figures: {
      machine: machine(loadBefore),
      seconds,
      scenarios: Object.fromEntries(
        Array.from(results, ([{ key }, all]) => [
          key,
          { durability: all[0]!.durability, ...spreads(all) },
        ]),
      ),
      ratios: ratiosOf(results),
    },
  };
}

/** Each word of a list such as `bare-100,ours` is looked for. */
function isChosen(only: string | undefined, key: string, name: string): boolean {
  if (only === undefined) return true;
  return only.split(',').some(word => key === word || name === word);
}

const BAR_WIDTH = 20;

function bar(done: number, all: number): string {
  const filled = Math.round((done / all) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}

function spreadOf(values: readonly number[]): Spread {
  const rounds = values.map(value => Math.round(value * 1000) / 1000);
  return {
    median: median(rounds),
    min: Math.min(...rounds),
    max: Math.max(...rounds),
    rounds,
  };
}

function spreads(all: readonly Measurement[]): Record<keyof Figures, Spread> {
  const names = Object.keys(all[0]!.figures) as (keyof Figures)[];
  const entries = names.map(name => [name, spreadOf(all.map(({ figures }) => figures[name]))]);
  return Object.fromEntries(entries) as Record<keyof Figures, Spread>;
}

function rowOf(scenario: Scenario, results: Results): Row {
  const all = results.get(scenario)!;
  const figures = spreads(all);
  const seconds = (spread: Spread) => shown(spread, 2);
  const ofBare = ratio(results, scenario.key, CEILING, 'serverCpuSeconds');
  return {
    scenario: scenario.name,
    'events/s': shown(figures.eventsPerSecond, 0),
    'p50 ms': shown(figures.p50Ms, 1),
    'p99 ms': shown(figures.p99Ms, 1),
    'server CPU s/M': seconds(figures.serverCpuSeconds),
    'of bare': ofBare === undefined ? '' : `${shown(ofBare, 2)}x`,
    'ClickHouse CPU s/M': seconds(figures.clickhouseCpuSeconds),
    'both CPU s/M': seconds(figures.cpuSeconds),
    'load CPU s/M': figures.loadCpuSeconds.median.toFixed(2),
    'synced B/event': figures.syncedBytesPerEvent.median.toFixed(0),
    'peak MB': figures.peakMb.max.toFixed(0),
    'drained/s': figures.drainedTimesLoad.median === 0 ? '' : drainedText(figures),
    failed: figures.failedRequests.max,
    '200 means': all[0]!.durability,
  };
}

function drainedText({ drainedEventsPerSecond, drainedTimesLoad }: Record<keyof Figures, Spread>) {
  return `${shown(drainedEventsPerSecond, 0)} (${drainedTimesLoad.median.toFixed(1)}x)`;
}

/** The median, and from where to where the rounds went. */
function shown({ median: middle, min, max, rounds }: Spread, digits: number): string {
  const text = (value: number) =>
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return rounds.length === 1 ? text(middle) : `${text(middle)} (${text(min)} to ${text(max)})`;
}

/** Round by round, so that what else the machine did falls on both. */
function ratio(
  results: Results,
  key: string,
  toKey: string,
  figure: keyof Figures,
): Spread | undefined {
  const of = (wanted: string) => Array.from(results).find(([scenario]) => scenario.key === wanted);
  const [own, other] = [of(key)?.[1], of(toKey)?.[1]];
  if (own === undefined || other === undefined) return undefined;
  return spreadOf(own.map(({ figures }, round) => figures[figure] / other[round]!.figures[figure]));
}

function ratiosOf(results: Results) {
  return {
    ourServerCpuToBare: ratio(results, OURS, CEILING, 'serverCpuSeconds'),
    fastifyServerCpuToOurs: ratio(results, FASTIFY, OURS, 'serverCpuSeconds'),
    fastifyCpuToOurs: ratio(results, FASTIFY, OURS, 'cpuSeconds'),
  };
}

function notes(results: Results, rounds: number): string[] {
  const { ourServerCpuToBare, fastifyCpuToOurs } = ratiosOf(results);
  const bytes = Array.from(results).map(
    ([{ eventsPerBatch }, all]) => [eventsPerBatch, all[0]!.figures.eventBytes] as const,
  );
  const sizes = Array.from(new Map(bytes), ([events, mean]) => `${mean.toFixed(0)} (of ${events})`);
  const lines = [
    `${CONNECTIONS} connections, each with one request under way, as fast as answers come; ` +
      `bytes an event in the mean, its share of the envelope included: ${sizes.join(', ')}.`,
    `CPU s/M: seconds of all threads per million acknowledged events, until the last is in ClickHouse; of Fastify's, ` +
      `ClickHouse's includes the process that collects asynchronous inserts, which the embedded one has not.`,
    `Pinned: ${apart().words}; "all cores": ${shared().words}, ${availableParallelism()} threads.`,
  ];
  if (rounds > 1) lines.push(`Medians of ${rounds} rounds, and from where to where they went.`);
  if (ourServerCpuToBare !== undefined)
    lines.push(`The CPU of ours is ${shown(ourServerCpuToBare, 2)} times that of the bare server.`);
  if (fastifyCpuToOurs !== undefined)
    lines.push(
      `Fastify's and ClickHouse's CPU is ${shown(fastifyCpuToOurs, 1)} times that of ours and ClickHouse's.`,
    );
  return lines;
}

function machine(loadBefore: number): string[] {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  return [
    `${availableParallelism()} cores (${model}), ${memory} GB, Linux ${release()}, Node ${process.version}; ` +
      `load of the machine before: ${loadBefore.toFixed(1)}.`,
  ];
}
