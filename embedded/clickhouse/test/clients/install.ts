// Installs the client programs of these tests from the ordinary registries, into a folder that git
// ignores: a Python environment, a Go program and a Java driver. Missing prerequisites are skipped,
// with their tests. npm run clients [-- --dbt]
//
// npm run clients [-- --dbt]

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GO_PROGRAM, INSTALLED, JAVA_LIBRARIES, PYTHON } from './installed.ts';

const HERE = import.meta.dirname;
/** A registry that does not respond must not block tests that do not need it. */
const STEP_TIMEOUT_MS = 5 * 60_000;

type Step = { readonly command: string; readonly options: string[]; readonly in: string };
type Client = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly steps: readonly Step[];
};

const CLIENTS: readonly Client[] = [
  {
    name: 'Python',
    needs: ['python3'],
    steps: [
      { command: 'python3', options: ['-m', 'venv', join(INSTALLED, 'python')], in: 'python' },
      pipInstall('python'),
      // Takes another minute, and is only needed in the long run.
      ...(process.argv.includes('--dbt') ? [pipInstall('dbt')] : []),
    ],
  },
  {
    name: 'Go',
    needs: ['go'],
    steps: [{ command: 'go', options: ['build', '-o', GO_PROGRAM, '.'], in: 'go' }],
  },
  {
    name: 'Java',
    needs: ['java', 'mvn'],
    steps: [
      {
        command: 'mvn',
        options: [
          '--quiet',
          '--batch-mode',
          'dependency:copy-dependencies',
          `-DoutputDirectory=${JAVA_LIBRARIES}`,
        ],
        in: 'java',
      },
    ],
  },
];

mkdirSync(INSTALLED, { recursive: true });
// Concurrently, because they mostly wait for the network.
await Promise.all(CLIENTS.map(install));

function pipInstall(folder: string): Step {
  const options = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement'];
  return { command: PYTHON, options: [...options, 'requirements.txt'], in: folder };
}

async function install({ name, needs, steps }: Client): Promise<void> {
  const startedAt = performance.now();
  for (const program of needs)
    if (!(await isRunnable(program)))
      return say(`${name}: ${program} is not on this machine; its tests will be skipped`);
  for (const step of steps) {
    const problem = await run(step);
    if (problem !== undefined)
      return say(`${name}: not installed, its tests will be skipped: ${problem}`);
  }
  say(`${name}: installed (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function isRunnable(program: string): Promise<boolean> {
  const option = program === 'go' ? 'version' : '--version';
  return (await run({ command: program, options: [option], in: '.' })) === undefined;
}

/** Returns undefined on success, otherwise the reason of the failure. */
function run({ command, options, in: folder }: Step): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = spawn(command, options, {
      cwd: join(HERE, folder),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Not spawn's own timeout, which would keep this process alive after a failed start.
    const timer = setTimeout(() => child.kill(), STEP_TIMEOUT_MS).unref();
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8');
    });
    child.once('error', error => resolve(error.message));
    child.once('close', code => {
      clearTimeout(timer);
      const lastLine = errors.trim().split('\n').at(-1) ?? '';
      resolve(code === 0 ? undefined : `${command} ended with ${code}: ${lastLine}`);
    });
  });
}
