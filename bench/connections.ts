// Many connections on several nodes of ingest: 1,000 that send batches, alone and beside 10,000 that
// are open and idle, as those of SDKs are between two batches.

import { readOpenFilesMax } from '../schema/environment/open-files.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { type Engines, startEngines } from './ingest/engines.ts';
import { interruptible } from './ingest/interruptible.ts';
import { type Load, startLoad } from './ingest/load.ts';
import { machineText } from './ingest/machine.ts';
import { shared } from './ingest/pinning.ts';
import { cpuOf, forgetPeak, residentMb, totalSeconds } from './ingest/process-usage.ts';
import { type Server, startServer } from './ingest/servers.ts';
import { type Spread, shown, spreadOf } from './ingest/spread.ts';
import { checkStored, untilSent, untilStored } from './ingest/stored.ts';
import { warmUp } from './ingest/warm-up.ts';
import type { Row } from './print-table.ts';

const NODES = 3;
const ACTIVE = 1_000;
const IDLE = 10_000;
const EVENTS_PER_BATCH = 100;
/** Of the load generator, besides its connections: files and pipes. */
const OTHER_FILES = 100;

const LOADS = [
  { key: 'active', name: `${text(ACTIVE)} active`, idleConnections: 0 },
  { key: 'idle', name: `${text(ACTIVE)} active, ${text(IDLE)} idle`, idleConnections: IDLE },
] as const;

type Figures = {
  readonly eventsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all nodes, per million acknowledged events, until the last one is delivered. */
  readonly cpuSeconds: number;
  /** Mean of the nodes. */
  readonly peakMbPerNode: number;
  readonly failed: number;
};

type Results = ReadonlyMap<(typeof LOADS)[number], readonly Figures[]>;

export const connectionsBench: Bench = {
  name: 'connections',
  title: `/v1/batch on ${NODES} nodes of ingest with one thread each; ClickHouse, Postgres and the load share the same cores`,
  isOnDemand: true,
  run: options => interruptible(signal => run(options, signal)),
};

async function run(options: BenchOptions, signal: AbortSignal): Promise<BenchResult> {
  const problem = openFilesProblem(readOpenFilesMax());
  if (problem !== undefined) return { rows: [], notes: [problem], figures: { skipped: true } };
  const machine = machineText();
  const results = new Map<(typeof LOADS)[number], Figures[]>(LOADS.map(load => [load, []]));
  options.progress('starting Postgres and ClickHouse');
  const engines = await startEngines({ clickhouseNice: 0, withBrokers: false });
  try {
    for (let round = 1; round <= options.rounds; round++)
      for (const [load, figures] of results) {
        options.progress(`round ${round} of ${options.rounds}, ${load.name}`);
        figures.push(await measure(load.idleConnections, engines, options, signal));
      }
  } finally {
    await engines.stop();
  }
  return {
    rows: Array.from(results, ([{ name }, all]) => rowOf(name, all)),
    notes: [...notes(results, options.rounds), machine],
    figures: {
      machine,
      seconds: options.seconds,
      scenarios: Object.fromEntries(Array.from(results, ([{ key }, all]) => [key, all])),
    },
  };
}

/** The load generator is one process, which has most connections; undefined if they fit. */
export function openFilesProblem(openFilesMax: number | undefined): string | undefined {
  const needed = ACTIVE + IDLE + OTHER_FILES;
  if (openFilesMax === undefined || openFilesMax >= needed) return undefined;
  return (
    `Skipped: a process may have ${text(openFilesMax)} open files here, and the load generator needs ` +
    `${text(needed)}. Raise the limit, for example with "ulimit -n ${needed}".`
  );
}

async function measure(
  idleConnections: number,
  engines: Engines,
  { seconds, execArgv }: BenchOptions,
  signal: AbortSignal,
): Promise<Figures> {
  const layout = shared();
  engines.pin(layout.others);
  await engines.clear();
  const nodes: Server[] = [];
  let load: Load | undefined;
  try {
    for (let node = 0; node < NODES; node++)
      nodes.push(await startServer('ours', { engines, layout, threads: 1, execArgv }));
    load = await startLoad(
      {
        ports: nodes.map(({ port }) => port),
        writeKey: engines.tenant.writeKey,
        eventsPerBatch: EVENTS_PER_BATCH,
        connections: ACTIVE,
        idleConnections,
        gzipBodies: undefined,
      },
      layout.others,
      signal,
    );
    return await underLoad(nodes, load, { engines, seconds, signal });
  } finally {
    load?.stop();
    await Promise.all(nodes.map(node => node.stop()));
  }
}

type Context = {
  readonly engines: Engines;
  readonly seconds: number;
  readonly signal: AbortSignal;
};

async function underLoad(
  nodes: readonly Server[],
  load: Load,
  { engines, seconds, signal }: Context,
): Promise<Figures> {
  const [first] = nodes;
  const untilDelivered = async (events: number) => {
    await untilStored(engines, first!, events, signal);
    for (const node of nodes) await untilSent(node, signal);
  };
  const warm = await warmUp(load, first!, signal);
  await untilDelivered(warm.acknowledged);
  for (const { pid } of nodes) forgetPeak(pid);
  const before = cpuSecondsOf(nodes);
  const report = await load.run({ seconds });
  const least = warm.acknowledged + report.acknowledged;
  await untilDelivered(least);
  const cpuSeconds = cpuSecondsOf(nodes) - before;
  const most = least + (warm.refused + report.failed) * EVENTS_PER_BATCH;
  const doubtfulIds = [...warm.failedIds, ...report.failedIds];
  await checkStored(engines, first!, { least, most, doubtfulIds });
  const peaksMb = nodes.map(({ pid }) => residentMb(pid).peak);
  return {
    eventsPerSecond: report.acknowledged / report.seconds,
    p50Ms: report.p50Ms,
    p99Ms: report.p99Ms,
    cpuSeconds: (cpuSeconds * 1e6) / report.acknowledged,
    peakMbPerNode: sumOf(peaksMb) / NODES,
    failed: report.failed,
  };
}

function cpuSecondsOf(nodes: readonly Server[]): number {
  return sumOf(nodes.map(({ pid }) => totalSeconds(cpuOf(pid))));
}

function rowOf(name: string, all: readonly Figures[]): Row {
  const of = (figure: keyof Figures) => spreadOf(all.map(figures => figures[figure]));
  return {
    connections: name,
    'events/s': shown(of('eventsPerSecond'), 0),
    'p50 ms': shown(of('p50Ms'), 0),
    'p99 ms': shown(of('p99Ms'), 0),
    'CPU s/M: ingest': shown(of('cpuSeconds'), 2),
    'peak MB per node': shown(of('peakMbPerNode'), 0),
    failed: of('failed').max,
  };
}

function notes(results: Results, rounds: number): string[] {
  const ratio = (figure: keyof Figures) => shown(ratioOf(results, figure), 2);
  return [
    `With the idle connections: ${ratio('eventsPerSecond')} times the events/s, ${ratio('cpuSeconds')} times ` +
      `the CPU per event, ${ratio('peakMbPerNode')} times the memory.`,
    'CPU s/M: CPU seconds of all nodes per million acknowledged events, until the last one is in ClickHouse.',
    'Verified: every acknowledged event is in ClickHouse exactly once.',
    ...(rounds > 1 ? [`Medians of ${rounds} rounds, with the lowest and highest values.`] : []),
  ];
}

/** Per round, so that other load on the machine affects both. */
function ratioOf(results: Results, figure: keyof Figures): Spread {
  const [alone, beside] = [...results.values()];
  return spreadOf(beside!.map((figures, round) => figures[figure] / alone![round]![figure]));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function text(value: number): string {
  return value.toLocaleString('en-US');
}
