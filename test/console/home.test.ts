import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { createKycSubmission } from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventText } from '../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { reportUnavailable } from './harness/report-unavailable.ts';

const ingest = useSharedIngest();
const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

test('a new workspace has a checklist, which turns green with the first event', async () => {
  const tenant = await createTenant({ minuteCap: 6_000 });
  const token = await tokenFor(tenant.organizationId);
  const page = await open({ url: api().url, token, path: '/' });
  const steps = page.getByRole('region', { name: 'Get started' });
  await steps.getByText('Waiting for the first event').waitFor();
  expect(await steps.getByRole('textbox', { name: 'SDK key' }).inputValue()).toBe(tenant.writeKey);
  await steps.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tenant.writeKey);
  await lookAt(page, 'home-new');
  // Only now, because any request counts as a use of the key.
  await untilKnown(ingest(), tenant.writeKey);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText()]), 1);
  await steps.getByText(/Event received/).waitFor();
  await steps.getByRole('button', { name: 'Hide' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Events by day' }).waitFor();
  expect(await steps.count()).toBe(0);
});

test('what needs attention leads to where it is mended', async () => {
  const tenant = await createTenant();
  await createKycSubmission((await createTenant()).organizationId);
  await sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, description, failing_since, created_by)
     VALUES (gen_random_uuid(), $1, 'https://shop.example/hook', 'Backend', now(), 'user-of-a-test')`,
    [tenant.workspaceId],
  );
  const token = await tokenFor(tenant.organizationId, { roles: ['owner', 'platform_admin'] });
  const page = await open({ url: api().url, token, path: '/' });
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByRole('link', { name: /“Backend” is failing/ }).waitFor();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: /^Webhooks\s*1 endpoint is failing$/ }).waitFor();
  await views.getByRole('link', { name: /^Partner\s*\d+ reviews? (is|are) waiting$/ }).waitFor();
  await lookAt(page, 'home-attention');
  await concerns.getByRole('link', { name: /^Identities \(KYC\) to review/ }).click();
  await page.waitForURL(/\/partner\/reviews\/identities$/);
});

const DAYS = 14;
const DELAY = { seconds: 0, isComplete: true, completeUntil: null, nodes: 1, nodesAnswering: 1 };
const HEALTH = {
  __typename: 'IngestHealth',
  bucketStarts: Array.from({ length: DAYS }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
  ),
  accepted: Array(DAYS).fill(300),
  rejected: Array(DAYS).fill(100),
  newestReceivedAt: null,
  delay: DELAY,
};

/** Opens the page with these answers to its reports and to the question of how late they are. */
async function openWith(health: object, errors?: readonly object[]): Promise<Page> {
  const tenant = await createTenant();
  const token = await tokenFor(tenant.organizationId);
  const page = await open({ url: api().url, token, path: '/keys' });
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  const json = { data: { ingestHealth: { ...HEALTH, ...health } }, ...(errors && { errors }) };
  await page.route('**/graphql', route =>
    /query (HomeTraffic|IngestDelay)/.test(route.request().postData() ?? '')
      ? route.fulfill({ json })
      : route.continue(),
  );
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Home' }).click();
  await page.getByText('Accepted, 7 days').waitFor();
  return page;
}

const figureOf = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) });

test('of a report that failed, nothing is known: no share, and not that there are no events', async () => {
  const { errors } = reportUnavailable('ingestHealth');
  const page = await openWith({ accepted: null }, errors);
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByText('Couldn’t check rejected events.').waitFor();
  expect(await concerns.getByText(/were rejected/).count()).toBe(0);
  await page.getByText('No data is lost; the page retries by itself.').waitFor();
  await figureOf(page, 'Accepted, 7 days').getByText('Unknown').waitFor();
  await figureOf(page, 'Last event').getByText('Unknown').waitFor();
});

test('while data is late, the numbers are what is known at least, as in the chart', async () => {
  const page = await openWith({ delay: { ...DELAY, seconds: 33 } });
  await page.getByRole('status').getByText('Data is 33 seconds late').waitFor();
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByText('At least 100 of today’s events were rejected').waitFor();
  expect(await page.getByText(/seconds late/).count()).toBe(1);
  await figureOf(page, 'Accepted, 7 days').getByText('At least 2,100').waitFor();
  await page.getByRole('cell', { name: 'At least 300' }).waitFor();
});

test('what is known is told in full', async () => {
  const page = await openWith({});
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByText('25% of today’s events were rejected').waitFor();
  expect(await concerns.getByText(/yesterday/).count()).toBe(0);
  await figureOf(page, 'Accepted, 7 days').getByText('2,100', { exact: true }).waitFor();
  await figureOf(page, 'Last event').getByText('None this week').waitFor();
});

test('events that were rejected yesterday need attention too, and are shown', async () => {
  const page = await openWith({ rejected: [...Array(DAYS - 1).fill(100), 0] });
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByRole('link', { name: '25% of yesterday’s events were rejected' }).click();
  await page.waitForURL(/\/rejected\?range=yesterday$/);
  const yesterday = page.getByRole('radio', { name: 'Yesterday' });
  await expect.poll(() => yesterday.isChecked()).toBe(true);
});
