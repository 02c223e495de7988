// No production program loads a development package, and the image has the Node of the tests.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { machineProblem } from '../../schema/environment/supported-machine.ts';
import { newDirectory } from '../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A worker is started by its URL, so no import leads to it. */
const ENTRIES: readonly string[] = [
  'migrations/migrate.ts',
  'ingest/main.ts',
  'ingest/worker.ts',
  'ingest/spool-command/main.ts',
  'graphql-api/app/main.ts',
  'backup/main.ts',
  'graphql-api/app/admin.ts',
  'graphql-api/app/replay.ts',
];
const STATIC = /^(?:import|export)\s(?!type\b)(?:[^'"`;]*?from\s+)?'([^']+)'/gm;
const AT_RUN_TIME =
  /import\('([^']+)'\)|createRequire\(import\.meta\.url\)\.resolve\(\s*'([^']+)'|require\.resolve\('([^']+)'\)/g;
/** Not ours to install: Node's own modules. */
const BUILT_IN = /^node:/;

async function importsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return [...text.matchAll(STATIC), ...text.matchAll(AT_RUN_TIME)].map(
    ([, ...found]) => found.find(specifier => specifier !== undefined)!,
  );
}

/** The packages that the files reached from these entries import, each with one such file. */
async function packagesFrom(entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const packages = new Map<string, string>();
  const seen = new Set(entries);
  for (const file of seen)
    for (const specifier of await importsOf(file)) {
      if (specifier.startsWith('.')) seen.add(normalize(join(dirname(file), specifier)));
      else if (!BUILT_IN.test(specifier)) packages.set(packageOf(specifier), file);
    }
  return packages;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

test('each package that a production program imports is a production dependency', async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const packages = await packagesFrom(ENTRIES);
  expect([...packages.keys()]).toContain('uWebSockets.js');
  expect([...packages].filter(([name]) => !(name in dependencies))).toEqual([]);
  const imported = new Set(packages.keys());
  // Nothing imports the runtime, and the ORM's driver imports its SQL part by itself.
  const others = Object.keys(dependencies).filter(name => !imported.has(name));
  expect(others).toEqual(['@mikro-orm/sql']);
});

test('an import of a development package is found', async () => {
  const packages = await packagesFrom(['embedded/start.ts', 'embedded/clickhouse/main.ts']);
  expect([...packages.keys()]).toContain('chdb');
});

test('the image has the version of Node that the tests run on', async () => {
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  const { optionalDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(dockerfile).toContain(`ARG NODE_VERSION=${optionalDependencies.node}\n`);
  expect(process.versions.node).toBe(optionalDependencies.node);
});

test('the lockfile has every optional package, so that npm ci works on each machine', async () => {
  const lockfile = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<Record<string, Record<string, string>>>(lockfile.packages);
  const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name =>
        !(`node_modules/${name}` in lockfile.packages) &&
        !(`${path}/node_modules/${name}` in lockfile.packages),
    ),
  );
  expect(missing).toEqual([]);
});

test.for([
  ['linux', 'x64', true],
  ['linux', 'arm64', true],
  ['darwin', 'arm64', false],
  ['linux', 'x64', false],
  ['win32', 'x64', false],
  ['linux', 'riscv64', true],
] as const)(
  '%s %s with glibc %s is supported or named in a sentence',
  ([platform, arch, hasGlibc]) => {
    const isSupported = platform === 'darwin' || (arch !== 'riscv64' && hasGlibc);
    const problem = machineProblem({ platform, arch, hasGlibc });
    expect(problem).toEqual(
      isSupported ? undefined : expect.stringMatching(/^The service does not run on .*\.$/),
    );
  },
);

const NODE_VERSIONS = [
  ['20.20.2', false],
  ['22.17.0', false],
  ['22.18.0', true],
  ['22.23.3', true],
  ['24.0.0', false],
] as const;

test.for(NODE_VERSIONS)(
  'an install on Node %s is supported or ends with a sentence: %s',
  async ([version, isSupported]) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
    const check = promisify(execFile)(process.execPath, [
      `--import=data:text/javascript,${encodeURIComponent(pretend)}`,
      join(ROOT, 'schema/environment/supported-node.mjs'),
    ]);
    const outcome = await check.catch((error: { code: number; stderr: string }) => error);
    expect(outcome).toMatchObject(
      isSupported
        ? { stdout: '', stderr: '' }
        : { code: 1, stderr: expect.stringMatching(/^The service requires Node 22\.18 .*\.\n$/) },
    );
  },
);

test.for(NODE_VERSIONS)(
  'a release on Node %s starts or ends with a sentence: %s',
  async ([version, isSupported]) => {
    const folder = await newDirectory('node');
    // A node that starts nothing: only its version matters here.
    const script = `#!/bin/sh\necho v${version}\n`;
    await writeFile(join(folder, 'node'), script, { mode: 0o755 });
    const entry = promisify(execFile)(join(ROOT, 'deploy/release/service'), ['migrate'], {
      env: { PATH: `${folder}:/bin` },
    });
    const outcome = await entry.catch((error: { code: number; stderr: string }) => error);
    expect(outcome).toMatchObject(
      isSupported
        ? { stderr: '' }
        : {
            code: 1,
            stderr: expect.stringMatching(new RegExp(`Node 22\\.18 .* found v${version}`)),
          },
    );
  },
);
