// Late data and an unavailable warehouse: the console shows both, and never shows unknown values as
// zero.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { CLOCK_VARIABLE } from '../faults/shifted-clock.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventText } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { createCampaign } from '../harness/campaign.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { sumOf, untilMetrics } from '../harness/metrics.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { startTcpGate, type TcpGate } from '../harness/tcp-gate.ts';
import type { Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const LATE_MS = 10 * 60_000;
/** The API sends no warehouse rows: other tests read the waiting rows of the shared database. */
const NOWHERE = 'http://127.0.0.1:9';
let inserts: TcpGate;
let reports: TcpGate;
let clockFile: string;
let ingest: IngestProcess;
let api: ApiProcess;
const open = useConsole(useChromium());

beforeAll(async () => {
  const address = new URL(inject('clickhouseUrl'));
  [inserts, reports] = await Promise.all([
    startTcpGate(address.hostname, Number(address.port)),
    startTcpGate(address.hostname, Number(address.port)),
  ]);
  const through = ({ port }: TcpGate) => `${address.protocol}//${address.hostname}:${port}`;
  clockFile = join(await newDirectory('clock'), 'clock.json');
  await setClock(-LATE_MS);
  const preload = new URL('../faults/shifted-clock.ts', import.meta.url).href;
  ingest = await startIngest({
    env: {
      INTERNAL_TOKEN,
      CLICKHOUSE_URL: `${through(inserts)}${address.pathname}`,
      NODE_OPTIONS: `--import=${preload}`,
      [CLOCK_VARIABLE]: clockFile,
    },
  });
  api = await startApi({
    env: {
      INTERNAL_TOKEN,
      INGEST_URL: NOWHERE,
      INGEST_NODE_URLS: ingest.url,
      CLICKHOUSE_URL: `${through(reports)}${address.pathname}`,
      RATE_POINTS_PER_SECOND: '1000',
    },
  });
});
afterEach(() => {
  inserts.setOpen(true);
  reports.setOpen(true);
});
afterAll(async () => {
  await Promise.all([api?.stop(), ingest?.stop()]);
  await Promise.all([inserts?.close(), reports?.close()]);
});

const setClock = (shiftMs: number) => writeFile(clockFile, JSON.stringify({ shiftMs }));

async function openAs(tenant: Tenant, path: string): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  return open({ url: api.url, token, path, mayFail: /./ });
}

const cellsOf = (page: Page) =>
  page
    .getByRole('figure', { name: /^Accepted and rejected events/ })
    .locator('tbody td')
    .allTextContents();

test('an event delayed by ten minutes: the page shows the delay, and no outage', async () => {
  const tenant = await liveTenant(ingest, { minuteCap: 6_000 });
  const campaignId = await createCampaign(tenant.workspaceId, { name: 'Sale' });
  inserts.setOpen(false);
  expectAccepted(await postEvents(ingest, tenant.writeKey, [eventText()]), 1);
  await ingest.kill9();
  await setClock(0);
  // On the port that the API has configured.
  await ingest.restart({ INGEST_PORT: new URL(ingest.url).port });

  const page = await openAs(tenant, '/live');
  const banner = page.getByRole('status').filter({ hasText: /^Data is 1\d minutes late/ });
  await banner.waitFor();
  await page.getByRole('button', { name: 'Details', exact: true }).first().click();
  await page.getByText(/^No events are lost/).waitFor();
  await page.keyboard.press('Escape');
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText(/^1\d minutes late/).waitFor();
  expect(await health.getByText('None', { exact: true }).count()).toBe(0);
  await page.getByText(/^The number of events between .* is not known yet\.$/).waitFor();
  const cells = await cellsOf(page);
  expect(cells.slice(0, 90)).toEqual(Array(90).fill('0'));
  expect(cells.slice(-20)).toEqual(Array(20).fill('Unknown'));
  await lookAt(page, 'live-late');

  const campaign = await openAs(tenant, `/campaigns/${encodeNodeId('Campaign', campaignId)}`);
  await campaign
    .getByRole('status')
    .filter({ hasText: /^Data is 1\d minutes late/ })
    .waitFor();
  await campaign.getByText('Nothing in the reports yet').waitFor();
  await lookAt(campaign, 'campaign-late');

  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  inserts.setOpen(true);
  await banner.waitFor({ state: 'detached' });
  expect(await heading.boundingBox()).toEqual(before);
});

test('a warehouse that does not answer: no None and no zero where nothing is known', async () => {
  const tenant = await liveTenant(ingest, { minuteCap: 6_000 });
  reports.setOpen(false);
  const page = await openAs(tenant, '/live');
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText('REPORT_UNAVAILABLE').first().waitFor();
  expect(await health.getByText(/^None/).count()).toBe(0);
  expect(await health.getByText('Unknown', { exact: true }).count()).toBe(3);
  await page.getByText(/^The number of events before .* is unknown\.$/).waitFor();
  await page.getByText(/^Unknown\s*accepted$/).waitFor();
  expect((await cellsOf(page)).slice(0, 116)).toEqual(Array(116).fill('Unknown'));
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  expectAccepted(await postEvents(ingest, tenant.writeKey, [eventText(), eventText()]), 2);
  await page.getByText(/^At least 2\s*accepted$/).waitFor();
  await lookAt(page, 'live-warehouse-away');
});

test('an owner sees a line for the quarantine, a member does not', async () => {
  const tenant = await liveTenant(ingest, { minuteCap: 6_000 });
  const folder = join(ingest.dataDirectory, 'ingest', 'spool', 'default', '0', 'quarantine');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'kept.segment'), 'damaged');
  await untilMetrics(ingest, now => expect(sumOf(now, /^ingest_quarantine_files$/)).toBe(1));
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const page = await open({ url: api.url, token, path: '/live' });
  await page
    .getByRole('region', { name: 'Health' })
    .getByText(/^1 file, 7B, since/)
    .waitFor();
  await lookAt(page, 'live-quarantine');
  const members = await openAs(tenant, '/live');
  await members.getByRole('region', { name: 'Health' }).getByText('Last event').waitFor();
  expect(await members.getByText('Quarantined files').count()).toBe(0);
});
