// npm run sdk: the client as it is published (ESM, CommonJS, types) and as ingest serves it for script
// tags, each file with its compressed versions. Runs after every install; prints a note if its build tools
// are not installed (npm install --omit=dev).

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig, Rolldown } from 'vite';
import { LIBRARY } from './core/library.ts';

const HERE = import.meta.dirname;
const DIST = join(HERE, 'dist');
/** Replaces the previous build as a whole, because ingest may be starting. */
const NEW = join(HERE, '..', 'node_modules', '.cache', `sdk-${process.pid}`);
/** Chrome and Edge 94, Firefox 93, Safari 16.4, and later. */
const TARGET = 'es2022';
const HASH_CHARACTERS = 12;

/**
 * Members of our own classes and parameters, which have shorter names in `sdk.js`: this saves 6% of its
 * compressed size. None of them is public, stored, sent or a member of the browser's objects.
 */
const INTERNAL =
  /^(?:action|added|bodyBytesMax|change|database|deps|dueMs|enqueue|entries|entry|events|exclusively|first|flushAfterMs|forget|held|hold|hurry|ids|isAskedAgain|isLeaving|isPaused|isRefused|isRunning|isSaveDue|isStarted|isStopped|keep|lanes|leaving|listen|listener|loadParts|memory|newId|nextNumber|nowMs|opening|options|pace|parts|pipeline|post|prefix|printed|problems|queue|recent|remove|reportRefused|reports|retryAfter|run|runAfter|save|saving|send|sender|senders|settle|start|step|store|take|timer|touch|unsaved|visitor|waiting|withoutExpired|work)$/;

type Vite = typeof import('vite');
type Format = 'es' | 'cjs' | 'iife';
type Minify = NonNullable<Rolldown.OutputOptions['minify']>;
const MINIFIED: Minify = { compress: true, mangle: true };
const SMALLEST: Minify = { ...MINIFIED, mangleProps: { include: INTERNAL } };

/** The parts that are loaded when they are used: the entry of each, and the constant that contains its URL. */
const PARTS = [
  { name: 'in-app', entry: 'in-app/main.ts', constant: 'IN_APP_FILE' },
  { name: 'push', entry: 'push/main.ts', constant: 'PUSH_FILE' },
];
/** Sites serve it from their own origin, or import it into their existing worker. */
const WORKER = { name: 'push-service-worker', entry: 'push/service-worker.ts' };

async function main(): Promise<void> {
  const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  if (vite === undefined) {
    process.stdout.write(
      'The client was not built, because its build tools are not installed (--omit=dev).\n',
    );
    return;
  }
  try {
    await Promise.all([buildPackage(vite), buildTypes(), buildScripts(vite)]);
    await rm(DIST, { recursive: true, force: true });
    await rename(NEW, DIST);
  } finally {
    await rm(NEW, { recursive: true, force: true });
  }
  if (process.argv.includes('--quiet')) return;
  for (const path of await Array.fromAsync(glob('cdn/*.js.br', { cwd: DIST })))
    process.stdout.write(`${path}: ${(await readFile(join(DIST, path))).length} bytes\n`);
}

async function buildPackage(vite: Vite): Promise<void> {
  const files = PARTS.map(({ constant, name }) => [constant, `./${name}.js`] as const);
  const entries = [
    { name: 'browser', entry: 'browser/main.ts' },
    { name: 'node', entry: 'node/main.ts' },
    ...PARTS,
  ];
  await Promise.all(
    (['es', 'cjs'] as const).flatMap(format =>
      entries.map(async ({ name, entry }) => {
        const code = await bundle(vite, entry, format, Object.fromEntries(files));
        await write(`${format === 'es' ? 'esm' : 'cjs'}/${name}.js`, code);
      }),
    ),
  );
  await write('cjs/package.json', '{ "type": "commonjs" }\n');
  await write(`${WORKER.name}.js`, await bundle(vite, WORKER.entry, 'iife', {}, MINIFIED));
}

/** Both formats have the same types, each in the folder of the format. */
async function buildTypes(): Promise<void> {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const tsc = join(typescript, 'bin', 'tsc');
  const options = ['-p', HERE, '--singleThreaded', '--outDir', join(NEW, 'esm')];
  await promisify(execFile)(process.execPath, [tsc, ...options]);
  for (const path of await Array.fromAsync(glob('esm/**/*.d.ts', { cwd: NEW }))) {
    const text = await readFile(join(NEW, path), 'utf8');
    const types = text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'");
    await write(path, types);
    await write(path.replace('esm/', 'cjs/'), types);
  }
}

/** `sdk.js`, and files whose names change with their content. `sdk.js` is a copy of one of these files. */
async function buildScripts(vite: Vite): Promise<void> {
  const files: Record<string, string> = {};
  for (const { name, entry, constant } of PARTS) {
    const code = await bundle(vite, entry, 'es', {}, MINIFIED);
    files[constant] = `/sdk/${await writeHashed(`${name}-${LIBRARY.version}`, code)}`;
  }
  const code = await bundle(vite, 'browser/script.ts', 'iife', files, SMALLEST);
  const file = await writeHashed(LIBRARY.version, code);
  for (const end of ['', '.br', '.gz'])
    await cp(join(NEW, 'cdn', file + end), join(NEW, 'cdn', `sdk.js${end}`));
}

async function bundle(
  vite: Vite,
  entry: string,
  format: Format,
  files: Readonly<Record<string, string>>,
  minify: Minify = false,
): Promise<string> {
  const define = Object.fromEntries(
    Object.entries(files).map(([constant, path]) => [constant, JSON.stringify(path)]),
  );
  const config: InlineConfig = {
    configFile: false,
    root: HERE,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      target: TARGET,
      minify: false,
      lib: { entry: join(HERE, entry), formats: [format], name: 'engagementClient' },
      rolldownOptions: {
        external: /^\.\/(?:in-app|push)\.js$/,
        output: { minify },
      },
    },
  };
  const [built] = (await vite.build(config)) as Rolldown.RolldownOutput[];
  return built!.output[0].code;
}

async function writeHashed(name: string, code: string): Promise<string> {
  const hash = createHash('sha256').update(code).digest('hex').slice(0, HASH_CHARACTERS);
  const file = `${name}-${hash}.js`;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await write(`cdn/${file}`, code);
  await write(`cdn/${file}.br`, brotliCompressSync(code, { params }));
  await write(`cdn/${file}.gz`, gzipSync(code, { level: 9 }));
  return file;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(NEW, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

await main();
