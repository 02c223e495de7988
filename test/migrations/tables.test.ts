import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeTables } from '../../migrations/describe-tables.ts';
import { warehouse } from '../harness/warehouse.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'tables.md');

test('docs/tables.md equals the output of npm run tables', async () => {
  expect(await readFile(DOCS, 'utf8')).toBe(await describeTables(warehouse()));
});
