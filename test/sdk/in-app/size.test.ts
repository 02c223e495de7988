import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brotliBytes, bundle } from './harness/bundle.ts';

/** Small, because visitors load it in addition to the page that they came for. */
const BYTES_MAX = 9 * 1024;

test('the in-app part is at most 9 KB, compressed', async () => {
  const entry = join(import.meta.dirname, '..', '..', '..', 'sdk', 'in-app', 'main.ts');
  const bytes = brotliBytes(await bundle(entry, 'esm'));
  process.stdout.write(`in-app: ${bytes} bytes, compressed with brotli\n`);
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});
