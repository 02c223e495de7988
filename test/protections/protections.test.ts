import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROTECTIONS, without } from './protections.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** `npm run protections` takes some minutes to prove that removing each one makes a test fail. */
test.for(PROTECTIONS)('can be removed: $name', async protection => {
  const source = await readFile(join(ROOT, protection.file), 'utf8');
  expect(without(protection, source)).not.toBe(source);
});

test.for(PROTECTIONS)('its test exists: $name', async ({ missedBy }) => {
  if ('world' in missedBy) return;
  expect(await readFile(join(ROOT, missedBy.file), 'utf8')).toContain(missedBy.test);
});
