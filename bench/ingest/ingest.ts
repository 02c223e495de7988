// Compares ingest with a server that only parses and with a typical server, in one run: the same
// bodies, connections and cores, alternating.

import { availableParallelism } from 'node:os';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import type { Row } from '../print-table.ts';
import { interruptible } from './interruptible.ts';
import { machineText } from './machine.ts';
import { apart, shared } from './pinning.ts';
import { takeRounds } from './rounds.ts';
import {
  CEILING,
  CONNECTIONS,
  FASTIFY,
  OURS,
  SCENARIOS,
  type Scenario,
  WATCHED,
} from './scenarios.ts';
import { type FigureName, type Results, ratioOf, type Spread, shown, spreadsOf } from './spread.ts';

export const ingestBench: Bench = {
  name: 'ingest',
  title: '/v1/batch compared with a server that only parses and with a typical server',
  run: options => interruptible(signal => run(options, signal)),
};

async function run(options: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  const keys = options.only?.split(',');
  const chosen = SCENARIOS.filter(({ key }) => keys === undefined || keys.includes(key));
  if (chosen.length === 0) throw new Error(`No scenario has the key ${options.only}.`);
  const machine = machineText();
  const results = await takeRounds(chosen, options, signal);
  const scenarios = Array.from(results, ([{ key }, all]) => {
    const { durability, eventBytes } = all[0]!;
    return [key, { durability, eventBytes, ...spreadsOf(all) }];
  });
  return {
    rows: chosen.map(scenario => rowOf(scenario, results)),
    notes: [...notes(results, options.rounds), machine],
    figures: {
      machine,
      seconds: options.seconds,
      scenarios: Object.fromEntries(scenarios),
      ratios: ratios(results),
    },
  };
}

function rowOf(scenario: Scenario, results: Results): Row {
  const all = results.get(scenario)!;
  const figures = spreadsOf(all);
  const ofBare = ratioOf(results, scenario.key, CEILING, 'serverCpuSeconds');
  return {
    scenario: scenario.name,
    'events/s': shown(figures.eventsPerSecond, 0),
    'p50 ms': figures.p50Ms.median.toFixed(1),
    'p99 ms': figures.p99Ms.median.toFixed(1),
    'CPU s/M: server': shown(figures.serverCpuSeconds, 2),
    'of bare': ofBare === undefined ? '' : shown(ofBare, 2),
    kernel: figures.serverKernelSeconds.median.toFixed(2),
    ClickHouse: figures.clickhouseCpuSeconds.median.toFixed(2),
    Postgres: figures.postgresCpuSeconds.median.toFixed(2),
    'all three': shown(figures.cpuSeconds, 2),
    load: figures.loadCpuSeconds.median.toFixed(2),
    'synced B/event': figures.syncedBytesPerEvent.median.toFixed(0),
    'peak MB': figures.peakMb.max.toFixed(0),
    'drained/s': figures.drainedTimesLoad.median === 0 ? '' : drainedText(figures),
    failed: figures.failedRequests.max,
    '200 means': all[0]!.durability,
  };
}

function drainedText({ drainedEventsPerSecond, drainedTimesLoad }: Record<FigureName, Spread>) {
  return `${drainedEventsPerSecond.median.toFixed(0)}: ${drainedTimesLoad.median.toFixed(1)} x the load`;
}

function ratios(results: Results) {
  return {
    ourServerCpuToBare: ratioOf(results, OURS, CEILING, 'serverCpuSeconds'),
    watchedServerCpuToUnwatched: ratioOf(results, WATCHED, OURS, 'serverCpuSeconds'),
    fastifyServerCpuToOurs: ratioOf(results, FASTIFY, OURS, 'serverCpuSeconds'),
    fastifyCpuToOurs: ratioOf(results, FASTIFY, OURS, 'cpuSeconds'),
  };
}

function notes(results: Results, rounds: number): string[] {
  const bytes = Array.from(
    results,
    ([{ eventsPerBatch }, all]) => [eventsPerBatch, all[0]!.eventBytes] as const,
  );
  const sizes = Array.from(new Map(bytes), ([events, mean]) => `${mean.toFixed(0)} (of ${events})`);
  const lines = [
    `${CONNECTIONS} connections unless a row states otherwise, each with one request in progress, as fast as possible: ` +
      'the acknowledged events are a burst, which ClickHouse inserts later. An event has ' +
      `${sizes.join(', ')} bytes on average, including its share of the envelope.`,
    'CPU s/M: CPU seconds of all threads per million acknowledged events, until the last one is in ClickHouse: the server, ' +
      'its share in the kernel, ClickHouse, Postgres, all three, the load generator. Fastify’s ClickHouse includes a process ' +
      'that collects asynchronous inserts, because the embedded ClickHouse does not do this.',
    `Pinned: ${apart().words}; "all cores": ${shared().words}, ${availableParallelism()} threads.`,
    'Verified: every acknowledged event is in ClickHouse exactly once.',
  ];
  if (rounds > 1) lines.push(`Medians of ${rounds} rounds, with the lowest and highest values.`);
  const { ourServerCpuToBare, watchedServerCpuToUnwatched, fastifyCpuToOurs } = ratios(results);
  if (ourServerCpuToBare !== undefined)
    lines.push(`Our server uses ${shown(ourServerCpuToBare, 2)} times the CPU of the bare server.`);
  for (const { key, name, server } of results.keys()) {
    const ratio =
      key.includes('-at-') && ratioOf(results, key, `${server}-100`, 'serverCpuSeconds');
    if (ratio)
      lines.push(`${name}: ${shown(ratio, 2)} times the CPU with ${CONNECTIONS} connections.`);
  }
  if (watchedServerCpuToUnwatched !== undefined)
    lines.push(
      `With a live view open, our server uses ${shown(watchedServerCpuToUnwatched, 3)} times the CPU.`,
    );
  if (fastifyCpuToOurs !== undefined)
    lines.push(
      `Fastify and ClickHouse use ${shown(fastifyCpuToOurs, 1)} times the CPU of our server, ClickHouse and Postgres.`,
    );
  return lines;
}
