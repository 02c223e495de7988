// npm run bench: what the service does under load, on this machine, as a table.

import { parseArgs } from 'node:util';
import { apiBench } from './api.ts';
import { edgeBench } from './edge.ts';
import { partnerBench } from './partner.ts';
import { printTable, type Row } from './print-table.ts';
import { createProgress } from './progress.ts';
import { templatesBench } from './templates.ts';
import { webhooksBench } from './webhooks.ts';

export type BenchOptions = {
  /** Of each measurement. */
  readonly seconds: number;
  /** Says what is under way. */
  readonly progress: (step: string) => void;
};

export type Bench = {
  readonly name: string;
  readonly title: string;
  readonly run: (options: BenchOptions) => Promise<readonly Row[]>;
};

const BENCHES: readonly Bench[] = [
  edgeBench,
  webhooksBench,
  apiBench,
  partnerBench,
  templatesBench,
];
const SECONDS_DEFAULT = 8;

const USAGE = `Usage: npm run bench -- [name ...] [--seconds N] [--json]

${BENCHES.map(({ name, title }) => `  ${name.padEnd(10)}${title}`).join('\n')}

  --seconds N   how long each measurement takes (${SECONDS_DEFAULT})
  --json        one JSON object on stdout, for machines
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: String(SECONDS_DEFAULT) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const unknown = positionals.filter(name => BENCHES.every(bench => bench.name !== name));
  const seconds = Number(values.seconds);
  if (unknown.length > 0 || !(seconds > 0)) {
    process.stderr.write(`Unknown: ${unknown.join(', ') || values.seconds}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const chosen = BENCHES.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const results: Record<string, readonly Row[]> = {};
  for (const { name, title, run } of chosen) {
    const progress = createProgress(process.stderr);
    results[name] = await run({ seconds, progress: step => progress.show(`${name}: ${step}`) });
    progress.clear();
    if (!values.json) process.stdout.write(`\n${title}\n\n${printTable(results[name])}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

await main();
