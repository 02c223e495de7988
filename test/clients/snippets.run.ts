// The snippets for clients of other vendors, as the console and the documentation show them, with the
// published packages. Run by npm run test:clients; test/console/snippets.test.ts runs the others.

import { delimiter, join } from 'node:path';
import { inject, test } from 'vitest';
import type { Snippet } from '../../console/snippets/snippet.ts';
import { SNIPPETS } from '../../console/snippets/snippets.ts';
import { useChromium } from '../console/harness/chromium.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { INSTALLED } from './install.ts';
import { runSnippet } from './run-snippet.ts';

/** Where the packages come from. */
const SOURCES: Record<Exclude<Snippet['runsIn'], 'shell' | 'page'>, 'npm' | 'python' | 'go'> = {
  browser: 'npm',
  node: 'npm',
  python: 'python',
  go: 'go',
};
const OF_OTHER_VENDORS = SNIPPETS.filter(({ accepts }) => accepts === 'COMPATIBLE');
/** First the Python that has the packages. */
const PATH = [join(INSTALLED, 'python/venv/bin'), process.env.PATH].join(delimiter);

const ingest = useSharedIngest();
const browser = useChromium(true);
const missing = inject('missingClients');

test.for(OF_OTHER_VENDORS)('$name', async (snippet, { skip }) => {
  const { runsIn, accepts } = snippet;
  if (runsIn === 'shell' || runsIn === 'page') throw new Error('a client of a vendor is a package');
  const source = SOURCES[runsIn];
  if (missing.includes(source)) skip(`no packages from ${source}`);
  await runSnippet(snippet, {
    host: ingest().url,
    tenant: await liveTenant(ingest(), { accepts }),
    browser: browser(),
    folder: join(INSTALLED, source),
    env: { ...process.env, PATH },
  });
});
