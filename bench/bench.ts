// npm run bench: measures the service under load on this machine, as tables.

import { parseArgs } from 'node:util';
import { apiBench } from './api.ts';
import { API_SCENARIO_KEYS } from './api-scenarios.ts';
import { connectionsBench } from './connections.ts';
import { directoryBench } from './directory.ts';
import { edgeBench } from './edge.ts';
import { ingestBench } from './ingest/ingest.ts';
import { Interrupted } from './ingest/interruptible.ts';
import { SCENARIOS } from './ingest/scenarios.ts';
import { sustainedBench } from './ingest/sustained.ts';
import { logBench } from './log/log.ts';
import { outboundBench } from './outbound.ts';
import { partnerBench } from './partner.ts';
import { printTable, type Row } from './print-table.ts';
import { createProgress } from './progress.ts';
import { questionsBench } from './questions/questions.ts';
import { templatesBench } from './templates.ts';
import { webhooksBench } from './webhooks.ts';

export type BenchOptions = {
  /** The duration of each measurement. */
  readonly seconds: number;
  /** The number of rounds, for benchmarks that show the median. */
  readonly rounds: number;
  /** The scenarios to run, by key or name, separated by commas; undefined: all. */
  readonly only: string | undefined;
  /** The rate of the steady load. */
  readonly eventsPerSecond: number;
  /** The number of events for the questions benchmark. */
  readonly rows: number;
  /** Options of node for the measured process, such as those of a profiler. */
  readonly execArgv: readonly string[];
  /** Reports the progress. */
  readonly progress: (step: string) => void;
};

export type BenchResult = {
  readonly rows: readonly Row[];
  /** Lines under the table. */
  readonly notes: readonly string[];
  /** The output of `--json` instead of the rows. */
  readonly figures: unknown;
};

export type Bench = {
  readonly name: string;
  readonly title: string;
  readonly secondsDefault?: number;
  /** It takes minutes, so it runs only if named. */
  readonly isOnDemand?: boolean;
  readonly run: (options: BenchOptions) => Promise<readonly Row[] | BenchResult>;
};

const BENCHES: readonly Bench[] = [
  ingestBench,
  sustainedBench,
  logBench,
  connectionsBench,
  edgeBench,
  directoryBench,
  webhooksBench,
  outboundBench,
  apiBench,
  partnerBench,
  templatesBench,
  questionsBench,
];
const SECONDS_DEFAULT = 8;
const RATE_DEFAULT = 100_000;
const ROWS_DEFAULT = 10_000_000;

const USAGE = `Usage: npm run bench -- [name ...] [--seconds N] [--rounds N] [--only LIST] [--json]

${BENCHES.map(({ name, title }) => `  ${name.padEnd(12)}${title}`).join('\n')}

Without a name, runs all benchmarks except sustained, log, connections and questions.

  --seconds N   the duration of each measurement (${SECONDS_DEFAULT}; sustained: 120)
  --rounds N    ingest, sustained, log, connections: the number of rounds over all scenarios; the median is shown (1)
  --rate N      sustained: events per second (${RATE_DEFAULT})
  --rows N      questions: the number of events (${ROWS_DEFAULT})
  --only LIST   ingest: runs only these scenarios, by key: ${SCENARIOS.map(({ key }) => key).join(',')}
                 api: ${API_SCENARIO_KEYS.join(',')}
  --profile DIR ingest: writes a CPU profile of each thread of our server to DIR
  --json        prints one JSON object
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      rate: { type: 'string', default: String(RATE_DEFAULT) },
      rounds: { type: 'string', default: '1' },
      rows: { type: 'string', default: String(ROWS_DEFAULT) },
      only: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const unknown = positionals.filter(name => BENCHES.every(bench => bench.name !== name));
  const [seconds, rounds] = [Number(values.seconds ?? SECONDS_DEFAULT), Number(values.rounds)];
  const [eventsPerSecond, rows] = [Number(values.rate), Number(values.rows)];
  const isMistaken = !(
    seconds > 0 &&
    eventsPerSecond > 0 &&
    rows > 0 &&
    rounds >= 1 &&
    rounds % 1 === 0
  );
  if (unknown.length > 0 || isMistaken) {
    process.stderr.write(`${mistake(unknown)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const chosen = BENCHES.filter(
    ({ name, isOnDemand }) =>
      positionals.includes(name) || (positionals.length === 0 && isOnDemand !== true),
  );
  const { profile } = values;
  const execArgv = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const results: Record<string, unknown> = {};
  for (const { name, title, run, secondsDefault } of chosen) {
    const progress = createProgress(process.stderr);
    const show = (step: string) => progress.show(`${name}: ${step}`);
    const result = await run({
      seconds: values.seconds === undefined ? (secondsDefault ?? seconds) : seconds,
      rounds,
      only: values.only,
      eventsPerSecond,
      rows,
      execArgv,
      progress: show,
    }).finally(() => progress.clear());
    const table = 'rows' in result ? result : { rows: result, notes: [], figures: result };
    const { notes, figures } = table;
    results[name] = figures;
    if (values.json) continue;
    process.stdout.write(`\n${title}\n\n`);
    if (table.rows.length > 0) process.stdout.write(`${printTable(table.rows)}\n`);
    if (notes.length > 0) process.stdout.write(`${notes.join('\n')}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function mistake(unknown: readonly string[]): string {
  return unknown.length > 0
    ? `Unknown benchmarks: ${unknown.join(', ')}`
    : '--seconds, --rounds, --rate and --rows must be greater than 0.';
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  process.stderr.write('\nInterrupted: stopping all processes.\n');
  process.exitCode = 130;
}
