import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brotliBytes, bundle } from '../in-app/harness/bundle.ts';

const PUSH = join(import.meta.dirname, '..', '..', '..', 'sdk', 'push');
/** The page loads one of the files when push is used; the browser loads the other one in the background. */
const BYTES_MAX = 3 * 1024;

test.for(['main.ts', 'service-worker.ts'])('%s is at most 3 KB, compressed', async entry => {
  const bytes = brotliBytes(await bundle(join(PUSH, entry), entry === 'main.ts' ? 'esm' : 'iife'));
  process.stdout.write(`push, ${entry}: ${bytes} bytes, compressed with brotli\n`);
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});
