// `npm run protections` removes each protection in a copy of the repository, runs the tests that
// must fail, and prints which did. It fails if a test passes without its protection, and stops if a
// protection can no longer be removed.

import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type NamedTest, PROTECTIONS, type Protection, without } from './protections.ts';

const USAGE = `Usage: npm run protections -- [--only TEXT]

  --only TEXT   only protections whose name contains this text
`;
const ROOT = join(import.meta.dirname, '..', '..');
/** Not part of the source, or too large to copy. */
const NOT_COPIED = new Set(['node_modules', '.git', '.data']);
/** Most fail within a few lives; some need two rare events at the same time. */
const SEEDS_MAX = 3_000;
/** Few: the simulator's own test proves that all lives pass with the protections. */
const SEEDS_BEFORE = 100;

/** Code without a protection may run forever; a busy machine needs a tenth of this time. */
const TIMEOUT_MS = 600_000;

/** The test that ran without the protection, and whether it failed as expected. */
type Outcome = { readonly isMissed: boolean; readonly shown: string };

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, help: { type: 'boolean', default: false } },
});
if (values.help) process.stdout.write(USAGE);
else await main(PROTECTIONS.filter(({ name }) => name.includes(values.only)));

async function main(protections: readonly Protection[]): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'protections-'));
  try {
    await copyTree(copy);
    await expectAllPass(copy, protections);
    const lines: string[][] = [];
    for (const protection of protections) {
      const { isMissed, shown } = await takeOut(copy, protection);
      if (!isMissed) process.exitCode = 1;
      lines.push([protection.name, shown, isMissed ? 'yes' : 'NO']);
      process.stderr.write(`${lines.length}/${protections.length} ${lines.at(-1)?.join(' | ')}\n`);
    }
    printTable([['protection removed', 'test', 'missed'], ...lines]);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyTree(copy: string): Promise<void> {
  for (const name of await readdir(ROOT))
    if (!NOT_COPIED.has(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}

/** If a test failed with all protections in place, its failure without one would prove nothing. */
async function expectAllPass(copy: string, protections: readonly Protection[]): Promise<void> {
  const tests = new Map(protections.map(({ missedBy }) => [JSON.stringify(missedBy), missedBy]));
  for (const missedBy of tests.values()) {
    const { isMissed, shown } = await run(copy, missedBy, SEEDS_BEFORE);
    if (isMissed) throw new Error(`"${shown}" fails even with all protections in place.`);
  }
}

async function takeOut(copy: string, protection: Protection): Promise<Outcome> {
  const path = join(copy, protection.file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, without(protection, source));
  try {
    return await run(copy, protection.missedBy, SEEDS_MAX);
  } finally {
    await writeFile(path, source);
  }
}

function run(copy: string, missedBy: Protection['missedBy'], seedsMax: number): Promise<Outcome> {
  return 'world' in missedBy ? runWorld(copy, missedBy.world, seedsMax) : runTest(copy, missedBy);
}

async function runWorld(copy: string, world: string, seedsMax: number): Promise<Outcome> {
  const options = ['--world', world, '--seeds', String(seedsMax), '--until-broken'];
  const { output, exitCode } = await node(copy, ['test/simulator/run.ts', ...options]);
  const seed = /--seed (\d+)/.exec(output)?.[1];
  if (seed !== undefined) return { isMissed: true, shown: `simulator: ${world}, seed ${seed}` };
  if (exitCode === 0) return { isMissed: false, shown: `simulator: ${world}` };
  throw new Error(`The simulator did not run:\n${output}`);
}

async function runTest(copy: string, { file, test }: NamedTest): Promise<Outcome> {
  const report = join(copy, 'report.json');
  await rm(report, { force: true });
  const options = ['run', file, '-t', test, '--reporter=json', `--outputFile=${report}`];
  const { output } = await node(copy, ['node_modules/vitest/vitest.mjs', ...options]);
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${file} did not run:\n${output}`);
  const counts = JSON.parse(text) as { numFailedTests: number; numPassedTests: number };
  if (counts.numFailedTests + counts.numPassedTests === 0)
    throw new Error(`${file} has no test "${test}":\n${output}`);
  return { isMissed: counts.numFailedTests > 0, shown: [file, test].join(' ').trim() };
}

function node(cwd: string, options: string[]): Promise<{ output: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, options, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        output += part.toString();
      });
    child.once('error', reject);
    child.once('close', code => resolve({ output, exitCode: code ?? 1 }));
  });
}

function printTable(lines: readonly string[][]): void {
  const widths = [0, 1, 2].map(column => Math.max(...lines.map(line => line[column]!.length)));
  for (const line of lines)
    process.stdout.write(`${line.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')}\n`);
}
