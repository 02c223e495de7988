// npm run release -- FOLDER [--cpu x64|arm64]: puts what production needs into a new folder: our sources,
// the built console and client, and the packages that the programs load. The image is built from this folder; on a
// machine without containers, the folder is copied unchanged.

import { chmod, cp, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readBuildInfo, UNKNOWN_COMMIT } from '../../schema/environment/build-info.ts';
import { isShipped, productionPackages } from './production-packages.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** All files that the programs read outside of node_modules. */
const SOURCES: readonly string[] = [
  'backup',
  'graphql-api',
  'ingest',
  'migrations',
  'schema',
  'console/dist',
  'sdk/dist/cdn',
];
const BUILT: readonly string[] = ['console/dist/index.html', 'sdk/dist/cdn/sdk.js'];
const CPUS: readonly string[] = ['x64', 'arm64'];

export type Release = {
  /** Must not exist yet, or be empty. */
  readonly folder: string;
  readonly cpu: string;
};

export async function assembleRelease({ folder, cpu }: Release): Promise<void> {
  await requireBuilt();
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Specify a new or empty folder.`);
  for (const source of SOURCES)
    await cp(join(ROOT, source), join(folder, source), {
      recursive: true,
      filter: path => extname(path) !== '.md',
    });
  const lockfile = await readFile(join(ROOT, 'package-lock.json'), 'utf8');
  for (const path of productionPackages(lockfile)) {
    const from = join(ROOT, path);
    await cp(from, join(folder, path), {
      recursive: true,
      filter: file => isOwn(from, file) && isShipped(relative(ROOT, file), cpu),
    });
  }
  await cp(join(import.meta.dirname, 'service'), join(folder, 'service'));
  await chmod(join(folder, 'service'), 0o755);
  await writeFile(join(folder, 'package.json'), await shortManifest());
}

async function requireBuilt(): Promise<void> {
  for (const file of BUILT)
    await lstat(join(ROOT, file)).catch(() => {
      throw new Error(`${file} does not exist. Run npm run prepare first.`);
    });
}

/** False for packages within a package, which have their own entries in the lockfile. */
function isOwn(from: string, file: string): boolean {
  return file === from || basename(file) !== 'node_modules';
}

/** The parts of package.json that the programs read: the version, the commit, and the module type. */
async function shortManifest(): Promise<string> {
  const whole = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  const { name, version, type } = whole;
  const { commit } = readBuildInfo(process.env);
  const gitHead = commit === UNKNOWN_COMMIT ? undefined : commit;
  return `${JSON.stringify({ name, version, private: true, type, gitHead }, null, 2)}\n`;
}

type Manifest = Readonly<Record<'name' | 'version' | 'type', string>>;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { cpu: { type: 'string', default: process.arch } },
  });
  const [folder] = positionals;
  // Docker calls x64 amd64.
  const cpu = values.cpu === 'amd64' ? 'x64' : values.cpu;
  if (folder === undefined || positionals.length > 1 || !CPUS.includes(cpu))
    throw new Error('Usage: npm run release -- FOLDER [--cpu x64|arm64]');
  const release = resolve(folder);
  await assembleRelease({ folder: release, cpu });
  process.stdout.write(
    `The release for Linux ${cpu} is in ${release}. Next, run ${release}/service migrate\n`,
  );
}

if (import.meta.main)
  main().catch((error: unknown) => {
    process.stderr.write(`release: ${(error as Error).message}\n`);
    process.exitCode = 1;
  });
