import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROTECTIONS, without } from './protections.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** That each is missed is what `npm run protections` shows, in some minutes. */
test.for(PROTECTIONS)('can be taken out: $name', async protection => {
  const source = await readFile(join(ROOT, protection.file), 'utf8');
  expect(without(protection, source)).not.toBe(source);
});

test.for(PROTECTIONS)('the test that misses it exists: $name', async ({ missedBy }) => {
  if ('world' in missedBy) return;
  expect(await readFile(join(ROOT, missedBy.file), 'utf8')).toContain(missedBy.test);
});
