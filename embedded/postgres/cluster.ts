// A cluster on disk: `cluster` (PostgreSQL's data directory) and `passwords.json` next to it.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Launch, SystemUser } from './unprivileged.ts';

export const SUPERUSER = 'postgres';
const MAJOR_VERSION = '18';

export type Passwords = Record<'superuser' | 'owner' | 'app' | 'system', string>;

export function clusterDirectory(dataDir: string): string {
  return join(dataDir, 'cluster');
}

/** The owner of the cluster; undefined if it does not exist. */
export async function clusterOwner(dataDir: string): Promise<SystemUser | undefined> {
  try {
    const { uid, gid } = await stat(clusterDirectory(dataDir));
    return { uid, gid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the cluster unless it is complete: an interrupted creation starts from scratch. */
export async function ensureCluster(
  dataDir: string,
  initdb: string,
  launch: Launch,
  signal?: AbortSignal,
) {
  const directory = clusterDirectory(dataDir);
  const exists = (await clusterOwner(dataDir)) !== undefined;
  const passwords = await ensurePasswords(dataDir, exists);
  if (exists) {
    await requireVersion(directory);
    return passwords;
  }
  const unfinished = `${directory}.new`;
  const passwordFile = join(dataDir, 'superuser-password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${passwords.superuser}\n`, { mode: 0o600, flag: 'wx' });
  try {
    if (launch.user !== undefined) {
      // The user of the cluster must be able to traverse this folder. The names in it are not secret.
      await chmod(dataDir, 0o711);
      await chown(unfinished, launch.user.uid, launch.user.gid);
      await chown(passwordFile, launch.user.uid, launch.user.gid);
    }
    await runInitdb(initdb, launch, unfinished, passwordFile, signal);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, directory);
  await syncDirectory(dataDir);
  return passwords;
}

/** Only the variables that PostgreSQL needs: neither our secrets nor the user's PG* variables. */
export function postgresEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR']) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

async function runInitdb(
  initdb: string,
  launch: Launch,
  directory: string,
  passwordFile: string,
  signal: AbortSignal | undefined,
) {
  const { file, args, ...user } = launch.command(initdb, [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The built-in locale provider, so that text sorts the same on every machine, independent of
    // its C library.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]);
  // The user that the process runs as may not have access to the current directory.
  const child = spawn(file, args, { ...user, cwd: '/', env: postgresEnvironment() });
  // The leftovers are removed. The children of the process end with it, and `close` waits for them.
  const kill = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', kill));
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`initdb failed with exit code ${code}:\n${output.trim()}`);
}

/** Undefined if the cluster was not created yet. */
export async function readPasswords(dataDir: string): Promise<Passwords | undefined> {
  try {
    return JSON.parse(await readFile(passwordsFile(dataDir), 'utf8')) as Passwords;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function passwordsFile(dataDir: string): string {
  return join(dataDir, 'passwords.json');
}

async function ensurePasswords(dataDir: string, clusterExists: boolean): Promise<Passwords> {
  const existing = await readPasswords(dataDir);
  if (existing !== undefined) return existing;
  const file = passwordsFile(dataDir);
  if (clusterExists) {
    throw new Error(
      `${file} is missing. Without it, the PostgreSQL cluster in the same folder cannot be opened.`,
    );
  }
  const random = () => randomBytes(24).toString('base64url');
  const passwords = { superuser: random(), owner: random(), app: random(), system: random() };
  await writeDurably(file, `${JSON.stringify(passwords, null, 2)}\n`);
  return passwords;
}

/** Written atomically, also in a crash: without its passwords, a cluster is lost. */
async function writeDurably(file: string, text: string): Promise<void> {
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncDirectory(join(file, '..'));
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function requireVersion(directory: string): Promise<void> {
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (version !== MAJOR_VERSION) {
    throw new Error(
      `${directory} was created by PostgreSQL ${version}, but this release includes PostgreSQL ${MAJOR_VERSION}.`,
    );
  }
}
