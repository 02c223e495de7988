// Installs the published clients from their public registries into a folder that git ignores.
// Clients whose tools are missing, or that cannot be downloaded, are skipped.

import { spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

export const INSTALLED = join(import.meta.dirname, '.installed');
const PACKAGES = join(import.meta.dirname, 'packages');
/** A registry that does not respond must not block the clients of others. */
const STEP_TIMEOUT_MS = 5 * 60_000;

type Source = {
  readonly name: 'npm' | 'python' | 'go';
  /** The files copied to the folder in which the commands run. */
  readonly files: readonly string[];
  readonly commands: readonly (readonly [string, ...string[]])[];
};

const SOURCES: readonly Source[] = [
  {
    name: 'npm',
    files: ['package.json'],
    commands: [
      ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    ],
  },
  {
    name: 'python',
    files: ['requirements.txt'],
    commands: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/python', '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'],
    ],
  },
  {
    name: 'go',
    files: ['go.mod', 'go.sum', 'main.go'],
    commands: [['go', 'build', '-buildvcs=false', '-o', 'clients', '.']],
  },
];

/** The reason why the packages of a source are missing; no entry if they were installed. */
export async function installClients(): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  for (const source of SOURCES) {
    const problem = await install(source);
    if (problem !== undefined) missing.set(source.name, problem);
  }
  return missing;
}

async function install({ name, files, commands }: Source): Promise<string | undefined> {
  const folder = join(INSTALLED, name);
  await mkdir(folder, { recursive: true });
  for (const file of files) await copyFile(join(PACKAGES, name, file), join(folder, file));
  for (const [program, ...options] of commands) {
    const problem = await run(program, options, folder);
    if (problem !== undefined) return `${program}: ${problem}`;
  }
  return undefined;
}

/** Returns undefined on success, otherwise the reason of the failure. */
function run(
  program: string,
  options: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = spawn(program, options, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: STEP_TIMEOUT_MS,
    });
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString();
    });
    child.on('error', error => resolve(error.message));
    child.on('close', code =>
      resolve(code === 0 ? undefined : said.trim().slice(-LAST_WORDS) || `exit code ${code}`),
    );
  });
}

const LAST_WORDS = 500;
