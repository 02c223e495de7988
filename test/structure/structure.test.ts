// The import rules: slices declare their imports, without cycles.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  folderCircles,
  importsAcrossSlices,
  importsOfApp,
  readImports,
  sliceCircles,
  slicesInPlatform,
  usesOf,
} from './import-graph.ts';

const API = join(import.meta.dirname, '..', '..', 'graphql-api');
/**
 * The maximum share of imports inside graphql-api that cross slices. Each one couples two slices.
 */
const ACROSS_SLICES_PERCENT_MAX = 4;
const IMPORTS = await readImports();
const USES = usesOf(IMPORTS);

test('nothing imports the folder that assembles the program', () => {
  expect(importsOfApp(IMPORTS)).toEqual([]);
});

test('platform imports no slice', () => {
  expect(slicesInPlatform(IMPORTS)).toEqual([]);
});

test('no two folders import each other, and slices have no import cycles', () => {
  expect(folderCircles(IMPORTS)).toEqual([]);
  expect(sliceCircles(USES)).toEqual([]);
});

test('few imports cross slices', () => {
  const inside = IMPORTS.filter(({ from }) => from.startsWith('graphql-api/'));
  const across = importsAcrossSlices(IMPORTS);
  process.stdout.write(`imports across slices: ${across.length} of ${inside.length}\n`);
  expect((100 * across.length) / inside.length).toBeLessThanOrEqual(ACROSS_SLICES_PERCENT_MAX);
});

test.for([...USES])('%s names the slices that it uses in its README', async ([slice, uses]) => {
  const readme = await readFile(join(API, slice, 'README.md'), 'utf8');
  const [, named] = /^Uses: (.*?)\.?$/m.exec(readme) ?? [];
  const expected = uses.size === 0 ? 'no other slice' : [...uses].toSorted().join(', ');
  expect(named).toBe(expected);
});

test('a cycle, a slice in platform and an import of app are detected', () => {
  const [a, b] = ['graphql-api/partner/a.ts', 'graphql-api/payments/inbox/b.ts'];
  const both = [
    { from: a, to: b },
    { from: b, to: a },
  ];
  expect(folderCircles(both)).toEqual(['graphql-api/partner graphql-api/payments/inbox']);
  expect(sliceCircles(usesOf(both)).toSorted()).toEqual(['partner', 'payments']);
  expect(slicesInPlatform([{ from: 'graphql-api/platform/audit.ts', to: a }])).toHaveLength(1);
  expect(importsOfApp([{ from: a, to: 'graphql-api/app/graph.ts' }])).toHaveLength(1);
});
