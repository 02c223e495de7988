// The published packages, unchanged, against a real ingest: each is given an address and a key,
// makes one call of each kind and flushes. Run by npm run test:clients, not by npm test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startChromium } from '../console/harness/start-chromium.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { writeRecording } from './corpus.ts';
import { CALLS, CALLS_PATH, expectCalls } from './expect-calls.ts';
import { INSTALLED, installClients } from './install.ts';
import { type PageClient, type ProgramClient, PUBLISHED_CLIENTS } from './published-clients.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const RECORDS = process.env.TEST_RECORD === '1';
const RUN_TIMEOUT_MS = 60_000;

const ingest = useSharedIngest();
let missing: ReadonlyMap<string, string>;
let browser: Awaited<ReturnType<typeof startChromium>>;
beforeAll(async () => {
  missing = await installClients();
  for (const [source, problem] of missing)
    process.stdout.write(`Skipped all clients from ${source}. ${problem}\n`);
  browser = await startChromium(join(inject('runDirectory'), 'chromium'), true);
}, 900_000);
afterAll(async () => {
  await browser?.close();
});

test.for(PUBLISHED_CLIENTS)('$name $version', async (client, { skip }) => {
  if (missing.has(client.from)) skip(`no packages from ${client.from}`);
  const tenant = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
  const recorder = await startRecorder(ingest().url, tenant.writeKey);
  try {
    if ('command' in client) await runProgram(client, recorder.url, tenant.writeKey);
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

async function runProgram(
  { command, from }: ProgramClient,
  host: string,
  writeKey: string,
): Promise<void> {
  const [program, ...options] = command as [string, ...string[]];
  const child = spawn(program, options, {
    cwd: join(INSTALLED, from),
    env: { PATH: process.env.PATH, HOST: host, WRITE_KEY: writeKey, CALLS: CALLS_PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, said).toBe(0);
}

/** On a page of another origin, so that the browser asks before it sends. */
async function runPage(
  { script, isModule, statement, kinds }: PageClient,
  { url, statuses }: Recorder,
  { writeKey, workspaceId }: { readonly writeKey: string; readonly workspaceId: string },
): Promise<void> {
  const module = isModule ? await readFile(script) : undefined;
  const site = createServer(({ url: path }, response) =>
    path === '/client.js'
      ? response.setHeader('Content-Type', 'text/javascript').end(module)
      : response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Shop</title>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const page = await browser.newPage();
  const foreign: string[] = [];
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  const own = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  page.on('request', request => {
    if (![own, url].includes(new URL(request.url()).origin)) foreign.push(request.url());
  });
  try {
    await page.goto(`${own}/shop?utm_source=test`);
    if (!isModule) await page.addScriptTag({ path: script });
    await page.evaluate(
      `{ const [writeKey, host, calls] = ${JSON.stringify([writeKey, url, CALLS])}; ${statement} }`,
    );
    await expectCalls(workspaceId, kinds).catch((error: unknown) => {
      throw new Error(`${statuses.join()}: The page said:\n${said.join('\n')}`, { cause: error });
    });
    expect(foreign).toEqual([]);
  } finally {
    await page.close();
    site.close();
  }
}
