// npm run bench: what the service does under load, on this machine, as a table.

import { parseArgs } from 'node:util';
import { apiBench } from './api.ts';
import { edgeBench } from './edge.ts';
import { ingestBench } from './ingest/ingest.ts';
import { Interrupted } from './ingest/interruptible.ts';
import { SCENARIOS } from './ingest/scenarios.ts';
import { partnerBench } from './partner.ts';
import { printTable, type Row } from './print-table.ts';
import { createProgress } from './progress.ts';
import { templatesBench } from './templates.ts';
import { webhooksBench } from './webhooks.ts';

export type BenchOptions = {
  /** Of each measurement. */
  readonly seconds: number;
  /** How often the whole is repeated, for benches that show the median. */
  readonly rounds: number;
  /** The scenarios to run, by key or name, separated by commas; undefined: all. */
  readonly only: string | undefined;
  /** Options of node's for the measured process of ours, such as a profiler's. */
  readonly execArgv: readonly string[];
  /** Says what is under way. */
  readonly progress: (step: string) => void;
};

export type BenchResult = {
  readonly rows: readonly Row[];
  /** Lines under the table. */
  readonly notes: readonly string[];
  /** What `--json` prints in place of the rows. */
  readonly figures: unknown;
};

export type Bench = {
  readonly name: string;
  readonly title: string;
  readonly run: (options: BenchOptions) => Promise<readonly Row[] | BenchResult>;
};

const BENCHES: readonly Bench[] = [
  ingestBench,
  edgeBench,
  webhooksBench,
  apiBench,
  partnerBench,
  templatesBench,
];
const SECONDS_DEFAULT = 8;

const USAGE = `Usage: npm run bench -- [name ...] [--seconds N] [--rounds N] [--only LIST] [--json]

${BENCHES.map(({ name, title }) => `  ${name.padEnd(10)}${title}`).join('\n')}

  --seconds N   how long each measurement takes (${SECONDS_DEFAULT})
  --rounds N    ingest: how often all of them are taken, in turns; the median is shown (1)
  --only LIST   ingest: these scenarios alone, by key: ${SCENARIOS.map(({ key }) => key).join(',')}
  --node ARGS   ingest: options of node's for ours, such as "--cpu-prof --cpu-prof-dir=profiles"
  --json        one JSON object on stdout, for machines
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: String(SECONDS_DEFAULT) },
      rounds: { type: 'string', default: '1' },
      only: { type: 'string' },
      node: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const unknown = positionals.filter(name => BENCHES.every(bench => bench.name !== name));
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  const isMistaken = !(seconds > 0) || !(rounds >= 1 && Number.isInteger(rounds));
  if (unknown.length > 0 || isMistaken) {
    process.stderr.write(`${mistake(unknown)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const chosen = BENCHES.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const execArgv = values.node.split(' ').filter(Boolean);
  const results: Record<string, unknown> = {};
  for (const { name, title, run } of chosen) {
    const progress = createProgress(process.stderr);
    const show = (step: string) => progress.show(`${name}: ${step}`);
    const options = { seconds, rounds, only: values.only, execArgv, progress: show };
    const result = await run(options).finally(() => progress.clear());
    const { rows, notes, figures } =
      'rows' in result ? result : { rows: result, notes: [], figures: result };
    results[name] = figures;
    if (values.json) continue;
    process.stdout.write(`\n${title}\n\n${printTable(rows)}\n`);
    if (notes.length > 0) process.stdout.write(`${notes.join('\n')}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function mistake(unknown: readonly string[]): string {
  return unknown.length > 0
    ? `Unknown: ${unknown.join(', ')}`
    : '--seconds and --rounds take a number above 0.';
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  process.stderr.write('\nInterrupted; everything that was started is stopped.\n');
  process.exitCode = 130;
}
