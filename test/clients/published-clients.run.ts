// Runs the published packages, unchanged, against a real ingest. Each is given an address and a
// key, makes one call of each type and flushes. Part of npm run test:clients, not of npm test.

import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { useChromium } from '../console/harness/chromium.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { writeRecording } from './corpus.ts';
import { CALLS, CALLS_PATH, expectCalls } from './expect-calls.ts';
import { INSTALLED } from './install.ts';
import { type PageClient, PUBLISHED_CLIENTS } from './published-clients.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { runProgram } from './run-program.ts';
import { openShopPage } from './shop-page.ts';

const RECORDS = process.env.TEST_RECORD === '1';

const ingest = useSharedIngest();
const missing = inject('missingClients');
const browser = useChromium(true);

test.for(PUBLISHED_CLIENTS)('$name $version', async (client, { skip }) => {
  if (missing.includes(client.from)) skip(`no packages from ${client.from}`);
  const tenant = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
  const recorder = await startRecorder(ingest().url, tenant.writeKey);
  try {
    if ('command' in client)
      await runProgram(client.command, join(INSTALLED, client.from), {
        PATH: process.env.PATH,
        HOST: recorder.url,
        WRITE_KEY: tenant.writeKey,
        CALLS: CALLS_PATH,
      });
    else await runPage(client, recorder, tenant);
    await expectCalls(tenant.workspaceId, client.kinds);
    expect(new Set(recorder.statuses.filter(status => status !== 204))).toEqual(new Set([200]));
    const { name, version, kinds } = client;
    const { requests } = recorder;
    if (RECORDS) await writeRecording({ client: name, version, kinds, requests });
    process.stdout.write(`${name}: ${requests.length} requests, ${kinds.length} rows\n`);
  } finally {
    await recorder.close();
  }
});

/** On a page of another origin, so that the browser sends a preflight first. */
async function runPage(
  { script, isModule, statement, kinds }: PageClient,
  { url, statuses }: Recorder,
  { writeKey, workspaceId }: { readonly writeKey: string; readonly workspaceId: string },
): Promise<void> {
  const { page, said, foreign, close } = await openShopPage(browser(), url);
  try {
    if (isModule) await page.route('**/client.js', route => route.fulfill({ path: script }));
    else await page.addScriptTag({ path: script });
    await page.evaluate(
      `{ const [writeKey, host, calls] = ${JSON.stringify([writeKey, url, CALLS])}; ${statement} }`,
    );
    await expectCalls(workspaceId, kinds).catch((error: unknown) => {
      throw new Error(`${statuses.join()}: The page said:\n${said.join('\n')}`, { cause: error });
    });
    expect(foreign).toEqual([]);
  } finally {
    await close();
  }
}
