// npm run console: the page (with --types, only the types of the API's schema), ready to be served by the API, each
// file beside its compressed self. Runs after every install; prints a note if its build tools are not installed (npm
// install --omit=dev).

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const DIST = join(import.meta.dirname, 'dist');
/** Fonts and pictures are compressed already. */
const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;

async function main(): Promise<void> {
  const tools = await Promise.all([import('vite'), import('./graph/make-schema-types.ts')]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
      throw error;
    },
  );
  if (tools === undefined) {
    process.stdout.write('The console is not built: its tools are not installed (--omit=dev).\n');
    return;
  }
  const [vite, { makeSchemaTypes }] = tools;
  await makeSchemaTypes();
  if (process.argv.includes('--types')) return;
  await vite.build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    logLevel: process.argv.includes('--quiet') ? 'warn' : 'info',
  });
  await compressAll();
}

async function compressAll(): Promise<void> {
  const entries = await readdir(DIST, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter(one => one.isFile() && COMPRESSIBLE.test(one.name))) {
    const file = join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${file}.br`, brotliCompressSync(bytes, { params }));
    await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

await main();
