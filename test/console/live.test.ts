// The live view of incoming data: ingest, the control plane and a browser as real processes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventText } from '../harness/batch.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { createTenant, type Tenant, type TenantOptions } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

let ingest: IngestProcess;
let api: ApiProcess;
const open = useConsole(useChromium());

beforeAll(async () => {
  ingest = await startIngest({ env: { INTERNAL_TOKEN } });
  api = await startApi({
    env: { INTERNAL_TOKEN, INGEST_URL: ingest.url, RATE_POINTS_PER_SECOND: '1000' },
  });
});
afterAll(async () => {
  await Promise.all([api?.stop(), ingest?.stop()]);
});

/** Creates a tenant that every thread of ingest knows. */
async function newTenant(options: TenantOptions = {}): Promise<Tenant> {
  const tenant = await createTenant(options);
  await eventually(() =>
    onEveryThread(async () => expect((await post(tenant, [])).status).toBe(400)),
  );
  return tenant;
}

function post(tenant: Tenant, events: readonly string[]) {
  return send(`${ingest.url}/v1/batch`, {
    headers: { 'content-type': 'application/json' },
    body: batchText(tenant.writeKey, events),
  });
}

/** Opens the view; resolves when it no longer misses events. */
async function openLive(
  tenant: Tenant,
  query = '',
  role: 'member' | 'platform_admin' = 'member',
): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  const page = await open({ url: api.url, token, path: `/live${query}` });
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  return page;
}

function listOf(page: Page) {
  return page.getByRole('list', { name: 'What came in, the newest first' });
}

test('an empty view explains how to send an event', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await page.getByRole('heading', { name: 'Listening' }).waitFor();
  const command = page.getByRole('region', { name: 'curl command' });
  await command.getByText(tenant.writeKey).waitFor();
  await lookAt(page, 'live-empty');
});

test('shows accepted and rejected events, and their numbers', async () => {
  const page = await openMixed();
  await listOf(page)
    .getByRole('button', { name: /Order Completed.*ann.*Accepted/ })
    .waitFor();
  await page.getByText(/^4\s*rejected, 57/).waitFor();
  await lookAt(page, 'live');
});

test('shows the position of the error in a rejected event', async () => {
  const page = await openMixed();
  await listOf(page)
    .getByRole('button', { name: /INVALID_TIMESTAMP/ })
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('timestamp must be an ISO 8601 time').first().waitFor();
  await expectMarked(page, '"timestamp": "yesterday"');
  await lookAt(page, 'live-rejected');
  await page.keyboard.press('Escape');
  await listOf(page)
    .getByRole('button', { name: /MISSING_FIELD/ })
    .click();
  await expectMarked(page, '"sessionId"');
});

async function openMixed(): Promise<Page> {
  const tenant = await newTenant({ minuteCap: 6_000 });
  const page = await openLive(tenant);
  await post(tenant, MIXED);
  return page;
}

const MIXED = [
  eventText({
    userId: '"ann"',
    properties:
      '{"order_id":"A-1024","total":49.90,"big":12345678901234567890,"items":[{"sku":"tea","count":2},{"sku":"cup","count":1}],"is_gift":false,"note":null,"tags":[]}',
  }),
  eventText({ event: '"Cart Viewed"' }),
  eventText({ type: '"page"', event: undefined, name: '"Home"', userId: '"bob"' }),
  eventText({ event: '"Checkout Started"', timestamp: '"yesterday"', userId: '"bob"' }),
  eventText({ event: '"Product Viewed"', sessionId: undefined }),
  eventText({ type: '"clicked"', userId: '"ann"' }),
  eventText({ properties: '{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}', event: '"Deep"' }),
];

async function expectMarked(page: Page, text: string): Promise<void> {
  const marked = page.getByRole('dialog').locator('mark');
  await eventually(async () => expect((await marked.allTextContents()).join()).toContain(text));
  expect(await marked.count()).toBe(1);
}

describe('what is looked for', () => {
  test('is kept in the address, and only that is shown', async () => {
    const tenant = await newTenant();
    const page = await openLive(tenant);
    await page.getByLabel('Name', { exact: true }).fill('Cart*');
    await page.waitForURL(/name=Cart/);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Nothing like that yet' }).waitFor();
    await eventually(async () => {
      await post(tenant, [eventText(), eventText({ event: '"Cart Viewed"' })]);
      expect(await listOf(page).getByText('Cart Viewed').count()).toBeGreaterThan(0);
    });
    expect(await listOf(page).getByText('Order Completed').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.waitForURL(url => url.search === '');
  });

  test('comes with a link', async () => {
    const tenant = await newTenant();
    const page = await openLive(tenant, '?show=rejected&code=MISSING_FIELD');
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('MISSING_FIELD');
    expect(await page.getByRole('radio', { name: 'Rejected' }).isChecked()).toBe(true);
    await post(tenant, MIXED);
    await listOf(page).getByRole('button').first().waitFor();
    expect(await listOf(page).getByRole('button').count()).toBe(1);
  });
});

test('while paused it counts new events, and shows them when it continues', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('status').getByText('Paused').waitFor();
  await post(tenant, [eventText(), eventText()]);
  const resume = page.getByRole('button', { name: 'Resume, 2 new' });
  await resume.waitFor();
  expect(await listOf(page).count()).toBe(0);
  await resume.click();
  await listOf(page).getByRole('button').nth(1).waitFor();
});

test('the arrow keys go from row to row', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await post(tenant, [eventText({ event: '"First"' }), eventText({ event: '"Second"' })]);
  const rows = listOf(page).getByRole('button');
  await rows.nth(1).waitFor();
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'First' }).waitFor();
});

test('a platform admin sees the data waiting on ingest’s disk, a member does not', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant, '', 'platform_admin');
  const card = page.getByRole('region', { name: 'Ingest, all workspaces' });
  await card.getByText('Node 1 answers').waitFor();
  await card.getByText('Waits on disk').waitFor();
  const members = await openLive(tenant);
  await members.getByRole('region', { name: 'Health' }).getByText('Last event').waitFor();
  expect(await members.getByRole('region', { name: 'Ingest, all workspaces' }).count()).toBe(0);
});
