// `npm test` and `npm run test:all`: types, lint and tests, then one line of counts. Types, linters
// and "no process left behind" count as tests, so that the last line shows the overall result.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Leftover, leftovers } from './harness/leftovers.ts';
import { RUN_DIRECTORY_VARIABLE } from './harness/run-directory-variable.ts';

const USAGE = `Usage: npm test -- [filter ...] [vitest options]

Without a filter, the tests of the whole system are left out (see SYSTEM_TESTS in test/run.ts).

  filter    run only the test files whose path contains this text
  --all     run all tests
  --long    repeat property and fault tests thousands of times (TEST_LONG=1)
  --help    print this
`;
const ROOT = join(import.meta.dirname, '..');
const MODULES = join(ROOT, 'node_modules');
/** The time after which a stopped process that is still running counts as left behind. */
const GONE_TIMEOUT_MS = 10_000;

/**
 * Tests of the system as a whole: they kill it, take its databases away, move workspaces between
 * databases, package it, or use it in a browser. They take more than half of the time of all tests;
 * without them, a run takes less than the ten minutes that somebody waits for.
 */
const SYSTEM_TESTS = [
  'embedded/**',
  'test/backup/**',
  'test/conformance/**',
  'test/console/**',
  'test/deploy/**',
  'test/embedded/**',
  'test/faults/**',
  'test/graphql-api/moves/**',
  'test/graphql-api/platform/warehouse/{outages,outbox-faults}.test.ts',
  'test/replicated-log/**',
  'test/sdk/**',
  'test/simulator/**',
];

type Count = { readonly passed: number; readonly failed: number };
type Environment = Record<string, string | undefined>;

/** With several threads, each would check shared types again, which doubles the work. */
const TYPES_OPTIONS = ['--noEmit', '--singleThreaded', '--incremental'];

const PASSED: Count = { passed: 1, failed: 0 };
const FAILED: Count = { passed: 0, failed: 1 };

const running = new Set<ChildProcess>();
let isInterrupted = false;

await main(process.argv.slice(2));

async function main(options: string[]): Promise<void> {
  if (options.includes('--help') || options.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  stopOnSignals();
  const counts = await runAll(options);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.exitCode = failed === 0 && !isInterrupted ? 0 : 1;
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
}

async function runAll(options: string[]): Promise<Count[]> {
  const runDirectory = await mkdtemp(join(tmpdir(), 'engagement-test-'));
  const environment = {
    ...process.env,
    // The type-aware linter finds its helper by name, and tests find node by name.
    PATH: [join(MODULES, '.bin'), process.env.PATH].join(delimiter),
    [RUN_DIRECTORY_VARIABLE]: runDirectory,
    ...(options.includes('--long') ? { TEST_LONG: '1' } : {}),
  };
  const filters = vitestOptions(options);
  try {
    const built = await Promise.all([
      check('console built', ['../console/build.ts', '--quiet'], environment),
      check('client built', ['../sdk/build.ts', '--quiet'], environment),
    ]);
    const tested = runVitest(runDirectory, filters, environment);
    const [sources, tests] = await Promise.all([checkSources(environment, tested), tested]);
    return [...built, ...sources, tests, await checkLeftovers(runDirectory)];
  } finally {
    await rm(runDirectory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function vitestOptions(options: string[]): string[] {
  const passed = options.filter(option => option !== '--long' && option !== '--all');
  const isWhole = options.includes('--all') || options.includes('--long');
  const hasFilter = passed.some(option => !option.startsWith('-'));
  if (isWhole || hasFilter) return passed;
  return [...passed, ...SYSTEM_TESTS.map(files => `--exclude=${files}`)];
}

/**
 * Types and linters run beside the tests, at the lowest priority: they use the CPU time in which the
 * tests wait. On a terminal, where vitest redraws its last lines, their results follow the tests.
 */
async function checkSources(environment: Environment, tested: Promise<unknown>): Promise<Count[]> {
  const untilPrintable = process.stdout.isTTY ? tested : Promise.resolve();
  const checkBeside = (name: string, command: string[]) =>
    checkQuietly(name, command, environment, untilPrintable);
  const checkTypes = (name: string, project: string) => {
    // The results of the last run, by the content of each file.
    const known = join(MODULES, '.cache', 'types', `${project}.tsbuildinfo`);
    const options = [...TYPES_OPTIONS, '--tsBuildInfoFile', known, '-p', project];
    return checkBeside(name, ['typescript/bin/tsc', ...options]);
  };
  // One thread each: they take about as long.
  const [linted, typed] = await Promise.all([
    checkBeside('lint with types', ['oxlint/bin/oxlint', '--type-aware', '--threads=1']),
    checkTypes('types', 'tsconfig.json').then(async types => [
      types,
      await checkTypes('types of the console', 'console'),
      await checkBeside('format and lint', ['@biomejs/biome/bin/biome', 'check', '.']),
    ]),
  ]);
  return [...typed, linted];
}

async function check(name: string, command: string[], environment: Environment): Promise<Count> {
  const startedAt = performance.now();
  const exitCode = await run(command, environment);
  return report(name, exitCode, performance.now() - startedAt);
}

/** Prints the output of the command in one piece, together with its result. */
async function checkQuietly(
  name: string,
  command: string[],
  environment: Environment,
  untilPrintable: Promise<unknown>,
): Promise<Count> {
  const startedAt = performance.now();
  let output = '';
  const exitCode = await run(command, environment, text => {
    output += text;
  });
  const durationMs = performance.now() - startedAt;
  await untilPrintable;
  if (exitCode !== 0) process.stdout.write(`\n${output.trimEnd()}\n`);
  return report(name, exitCode, durationMs);
}

function report(name: string, exitCode: number, durationMs: number): Count {
  const isPassed = exitCode === 0;
  const seconds = (durationMs / 1000).toFixed(1);
  process.stdout.write(`${isPassed ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  return isPassed ? PASSED : FAILED;
}

async function runVitest(
  runDirectory: string,
  filters: string[],
  environment: Environment,
): Promise<Count> {
  const reportFile = join(runDirectory, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = await run(['vitest/vitest.mjs', 'run', ...reporters, ...filters], environment);
  const count = countTests(await readFile(reportFile, 'utf8').catch(() => undefined));
  // A run that crashed, found no tests or had an error outside of tests counts as a failure.
  const isUnexplained = count.failed === 0 && (exitCode !== 0 || count.passed === 0);
  return isUnexplained ? { ...count, failed: 1 } : count;
}

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

/**
 * Returns undefined for a truncated report, for example after a full disk; the last line is still
 * printed.
 */
function parseReport(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
}

function countTests(report: string | undefined): Count {
  const counted = report === undefined ? undefined : parseReport(report);
  if (counted === undefined) return FAILED;
  const { numPassedTests, numFailedTests, testResults } = counted;
  // If a file failed without a failed test, it could not be loaded, or one of its hooks failed.
  const brokenFiles = testResults.filter(
    file =>
      file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
}

async function checkLeftovers(runDirectory: string): Promise<Count> {
  const end = performance.now() + GONE_TIMEOUT_MS;
  let left: Leftover[] = leftovers(runDirectory);
  while (left.length > 0 && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 100));
    left = leftovers(runDirectory);
  }
  for (const { pid, command } of left) {
    process.stdout.write(`  left behind: ${pid} ${command}\n`);
    kill(pid);
  }
  process.stdout.write(`${left.length === 0 ? '✓' : '✗'} no process left behind\n`);
  return left.length === 0 ? PASSED : FAILED;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a tool from node_modules with the current node. Resolves with its exit code, or 1 if a
 * signal ended it. With `onOutput`, the tool runs at the lowest priority.
 */
function run(
  [script, ...rest]: string[],
  env: Environment,
  onOutput?: (text: string) => void,
): Promise<number> {
  if (isInterrupted) return Promise.resolve(1);
  return new Promise((resolve, reject) => {
    const command = [process.execPath, join(MODULES, script ?? ''), ...rest];
    const isQuiet = onOutput !== undefined;
    const [program, ...args] = isQuiet ? ['nice', '-n', '19', ...command] : command;
    const stdio: StdioOptions = isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 1, 2];
    const child = spawn(program!, args, { cwd: ROOT, env, stdio });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => onOutput?.(text as string));
    running.add(child);
    child.once('error', reject);
    // Unlike 'exit', this waits for the last output.
    child.once('close', code => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Vitest stops the engines when it exits; afterwards this process still counts and cleans up. */
function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isInterrupted = true;
      for (const child of running) child.kill(signal);
    });
  }
}
