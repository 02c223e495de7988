// The snippets of the console and the documentation. Those of other vendors' clients need packages:
// npm run test:clients runs them.

import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { withSnippets } from '../../console/snippets/docs-section.ts';
import { filledIn } from '../../console/snippets/snippet.ts';
import { SNIPPETS } from '../../console/snippets/snippets.ts';
import { PROGRAMS, runSnippet } from '../clients/run-snippet.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { useChromium } from './harness/chromium.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'sdk-developers.md');
const WITHOUT_PACKAGES = SNIPPETS.filter(({ accepts }) => accepts === 'CONTRACT');

const ingest = useSharedIngest();
let folder: string;
beforeAll(async () => {
  folder = await newDirectory('snippets');
  await mkdir(join(folder, 'node_modules'));
  await symlink(
    join(import.meta.dirname, '../../sdk'),
    join(folder, 'node_modules/engagement-client'),
  );
});
const browser = useChromium(true);

test.concurrent.for(WITHOUT_PACKAGES)('$name sends an event', async (snippet, { skip }) => {
  const { runsIn, accepts } = snippet;
  if (runsIn !== 'page' && runsIn !== 'browser' && !isInstalled(PROGRAMS[runsIn]))
    skip(`${PROGRAMS[runsIn]} is not installed`);
  await runSnippet(snippet, {
    host: ingest().url,
    tenant: await liveTenant(ingest(), { accepts }),
    browser: browser(),
    folder,
    env: process.env,
  });
});

test('every snippet has a name of its own, and places for the address and the key', () => {
  expect(new Set(SNIPPETS.map(({ name }) => name)).size).toBe(SNIPPETS.length);
  for (const snippet of SNIPPETS) {
    expect(snippet.code, snippet.name).toMatch(/\bHOST\b/);
    expect(snippet.code, snippet.name).toMatch(/\bKEY\b/);
    const code = filledIn(snippet, { host: 'https://events.example', writeKey: 'wk_1' });
    expect(code, snippet.name).not.toMatch(/\b(?:HOST|KEY)\b/);
  }
});

test('docs/sdk-developers.md has the snippets; npm run snippets writes them', async () => {
  const text = await readFile(DOCS, 'utf8');
  expect(text).toBe(withSnippets(text));
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
