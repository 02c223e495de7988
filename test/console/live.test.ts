// The live view of incoming data: ingest, the control plane and a browser as real processes.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../schema/values/durations.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { batchText, eventText } from '../harness/batch.ts';
import { createCampaign } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { IN_APP_EVENTS, postJson, reportOf } from '../harness/in-app.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { createTenant, type Tenant, type TenantOptions } from '../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../harness/warehouse.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { reportUnavailable } from './harness/report-unavailable.ts';

/** The API sends no warehouse rows: other tests read the waiting rows of the shared database. */
const NOWHERE = 'http://127.0.0.1:9';

let ingest: IngestProcess;
let api: ApiProcess;
const open = useConsole(useChromium());

beforeAll(async () => {
  ingest = await startIngest({ env: { INTERNAL_TOKEN } });
  api = await startApi({
    env: {
      INTERNAL_TOKEN,
      INGEST_URL: NOWHERE,
      INGEST_NODE_URLS: ingest.url,
      RATE_POINTS_PER_SECOND: '1000',
    },
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
  return page.getByRole('list', { name: 'Events, newest first' });
}

function rowsOf(page: Page) {
  return listOf(page).getByRole('listitem');
}

test('an empty view explains how to send an event', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await page.getByRole('heading', { name: 'Waiting for events' }).waitFor();
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
    .getByRole('button', { name: /Invalid timestamp/ })
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('timestamp must be an ISO 8601 time').first().waitFor();
  await expectMarked(page, '"timestamp": "yesterday"');
  await lookAt(page, 'live-rejected');
  await page.keyboard.press('Escape');
  await listOf(page)
    .getByRole('button', { name: /Missing field/ })
    .click();
  await expectMarked(page, '"sessionId"');
});

/** Posts these events, and some without a required field; resolves when they are in ClickHouse. */
async function postStored(tenant: Tenant, accepted: readonly string[], rejectedCount = 0) {
  const rejected = Array.from({ length: rejectedCount }, () => eventText({ sessionId: undefined }));
  await post(tenant, [...accepted, ...rejected]);
  await rejectedEvents(tenant.workspaceId, rejectedCount);
  await eventually(async () => expect(await countEvents(tenant.workspaceId)).toBe(accepted.length));
}

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
    await page.getByLabel('Name', { exact: true }).fill('cart');
    await page.waitForURL(/name=cart/);
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'No matching events' }).waitFor();
    await eventually(async () => {
      await post(tenant, [eventText(), eventText({ event: '"Cart Viewed"' })]);
      expect(await listOf(page).getByText('Cart Viewed').count()).toBeGreaterThan(0);
    });
    expect(await listOf(page).getByText('Order Completed').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(url => url.search === '');
  });

  test('is chosen from the types that exist, or from the minutes of the chart', async () => {
    const tenant = await newTenant();
    await postStored(tenant, [eventText(), eventText({ type: '"page"', event: undefined })]);
    const page = await openLive(tenant);
    await rowsOf(page).nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'page' }).click();
    await page.waitForURL(/type=page/);
    await eventually(async () => expect(await rowsOf(page).count()).toBe(1));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Minute' }).click();
    await page
      .getByRole('option', { name: /\([1-9]/ })
      .first()
      .click();
    await page.waitForURL(/minute=/);
    await eventually(async () => expect(await rowsOf(page).count()).toBe(2));
    await lookAt(page, 'live-minute');
    await page.reload();
    await rowsOf(page).nth(1).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('figure').click({ position: { x: 200, y: 100 } });
    await page.waitForURL(/minute=/);
  });

  test('comes with a link', async () => {
    const tenant = await newTenant();
    const page = await openLive(tenant, '?show=rejected&code=MISSING_FIELD');
    expect(await page.getByRole('combobox', { name: 'Reason' }).inputValue()).toBe('Missing field');
    expect(await page.getByRole('radio', { name: 'Rejected' }).isChecked()).toBe(true);
    await post(tenant, MIXED);
    await listOf(page).getByRole('button').first().waitFor();
    expect(await listOf(page).getByRole('button').count()).toBe(1);
  });
});

test('begins with the events of the last minutes', async () => {
  const tenant = await newTenant();
  await postStored(tenant, [eventText({ userId: '"ann"' })], 1);
  const page = await openLive(tenant);
  await rowsOf(page).filter({ hasText: 'Accepted' }).waitFor();
  await rowsOf(page).filter({ hasText: 'Missing field' }).waitFor();
  await post(tenant, [eventText({ event: '"Cart Viewed"' })]);
  await rowsOf(page).nth(2).waitFor();
  expect(await rowsOf(page).first().textContent()).toContain('Cart Viewed');
  const link = rowsOf(page).getByRole('link', { name: 'ann' });
  expect(await link.getAttribute('href')).toBe('/console/people/ann');
});

test('an event of a client with a slow clock is listed in the minute in which it arrived', async () => {
  const tenant = await newTenant();
  const timestamp = JSON.stringify(new Date(Date.now() - DAY_MS).toISOString());
  await postStored(tenant, [eventText({ event: '"Yesterday"', timestamp }), eventText()]);
  const page = await openLive(tenant);
  const row = rowsOf(page).filter({ hasText: 'Yesterday' });
  await row.getByText('event time').waitFor();
  expect(await rowsOf(page).getByText('event time').count()).toBe(1);
  await page.getByRole('combobox', { name: 'Minute' }).click();
  await page
    .getByRole('option', { name: /\([1-9]/ })
    .first()
    .click();
  await page.waitForURL(/minute=/);
  await row.getByText('event time').waitFor();
  await lookAt(page, 'live-event-time');
  await row.getByRole('button').click();
  await page.getByRole('dialog').getByText('Event time').waitFor();
});

test('feedback shows the campaign and what happened', async () => {
  const tenant = await newTenant();
  const campaign_id = await createCampaign(tenant.workspaceId, { name: 'Diwali banner' });
  const page = await openLive(tenant);
  await postJson(ingest, tenant, IN_APP_EVENTS, reportOf({ campaign_id }));
  await listOf(page)
    .getByRole('button', { name: 'Diwali banner, campaign impression, user-1, Accepted' })
    .click();
  await page.getByRole('dialog').getByRole('link', { name: 'Diwali banner' }).waitFor();
});

test('a rejected event links to its page', async () => {
  const tenant = await newTenant();
  await postStored(tenant, [], 1);
  const page = await openLive(tenant);
  await listOf(page)
    .getByRole('button', { name: /Missing field/ })
    .click();
  await page.getByRole('link', { name: 'Open in rejected events' }).click();
  await page.locator('mark').getByText('"sessionId"').waitFor();
});

test('the list does not move while the focus is in it', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await post(tenant, [eventText({ event: '"First"' })]);
  await rowsOf(page).first().waitFor();
  const filter = page.getByRole('combobox', { name: 'Minute' });
  for (const width of [768, 1024, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await filter.focus();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    const before = await heightAbove(page);
    await page.keyboard.press('Tab');
    await page.getByRole('status').getByText('Paused while you read the list').waitFor();
    // To a few pixels: the page is scrolled meanwhile.
    expect.soft(await heightAbove(page), `at ${width}px`).toBeCloseTo(before, -1);
  }
  await filter.focus();
  await page.keyboard.press('Tab');
  await page.getByRole('status').getByText('Paused while you read the list').waitFor();
  await page.getByRole('button', { name: 'Keep paused' }).waitFor();
  await post(tenant, [eventText({ event: '"Second"' })]);
  await page.getByText('1 new', { exact: true }).waitFor();
  expect(await rowsOf(page).count()).toBe(1);
  await page.keyboard.press('Shift+Tab');
  await rowsOf(page).filter({ hasText: 'Second' }).waitFor();
});

/** Between the top of the page and the list. */
async function heightAbove(page: Page): Promise<number> {
  const [heading, list] = [page.getByRole('heading', { level: 1 }), listOf(page)];
  return (await list.boundingBox())!.y - (await heading.boundingBox())!.y;
}

test('the focus stays on its row while reports are not available and are asked for again', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  let asked = 0;
  await page.route('**/graphql', route => {
    const query = route.request().postData() ?? '';
    if (query.includes('query LiveStored(')) asked++;
    const fields = REPORTS.find(([name]) => query.includes(`query ${name}(`))?.[1];
    return fields === undefined
      ? route.continue()
      : route.fulfill({ json: reportUnavailable(...fields) });
  });
  await page.reload();
  await page.getByText('Reports are not available right now').first().waitFor();
  await post(tenant, [eventText({ event: '"First"' })]);
  const row = listOf(page).getByRole('button', { name: /^First/ });
  await row.waitFor();
  await page.getByRole('combobox', { name: 'Minute' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const before = asked;
  await expect.poll(() => asked).toBeGreaterThan(before + 2);
  expect(await row.evaluate(button => button === document.activeElement)).toBe(true);
  await page.getByRole('status').getByText('Paused while you read the list').waitFor();
  const health = page.getByRole('region', { name: 'Health' });
  expect(await health.getByText('Unknown', { exact: true }).count()).toBe(2);
  expect(await health.getByText('Up to date').count()).toBe(0);
  await lookAt(page, 'live-unavailable');
});

/** The reports of the page, with their fields. Its health is answered. */
const REPORTS = [
  ['LiveStored', ['events']],
  ['LiveStoredRejected', ['rejectedEvents']],
  ['LiveHistory', ['ingestHealth']],
] as const;

test('the filters open when they are clicked or typed in, not when the Tab key reaches them', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  await page.getByLabel('User', { exact: true }).focus();
  for (const name of ['Type', 'Reason', 'Minute']) {
    await page.keyboard.press('Tab');
    const choice = page.getByRole('combobox', { name });
    expect(await choice.evaluate(input => input === document.activeElement)).toBe(true);
    expect(await choice.getAttribute('aria-expanded')).toBe('false');
  }
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option').first().waitFor();
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
  const card = page.getByRole('region', { name: 'Ingest nodes' });
  await card.getByText('Node 1 is healthy').waitFor();
  await card.getByText('Queued on disk').waitFor();
  const members = await openLive(tenant);
  await members.getByRole('region', { name: 'Health' }).getByText('Last event').waitFor();
  expect(await members.getByRole('region', { name: 'Ingest nodes' }).count()).toBe(0);
});

test('the test code of a key says that its event arrived, or why it was rejected', async () => {
  const tenant = await newTenant();
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const page = await open({ url: api.url, token, path: '/keys' });
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Test event code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Waiting for an event with this key…').waitFor();
  await post(tenant, [eventText({ event: '"Test Event"' })]);
  await dialog.getByText('“Test Event” arrived').waitFor();
  await dialog.getByRole('link', { name: 'See it live' }).waitFor();
  await lookAt(page, 'keys-arrived');
  await post(tenant, [eventText({ event: '"Wrong Event"', sessionId: undefined })]);
  await dialog.getByText('“Wrong Event” was rejected').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('Never').waitFor({ state: 'detached' });
});

test('stored events that take too long are asked for again, with a quiet note', async () => {
  const tenant = await newTenant();
  const page = await openLive(tenant);
  const message = 'The report took longer than 10 seconds.';
  const extensions = { code: 'BAD_USER_INPUT', reason: 'REPORT_TOO_LARGE', timeLimitSeconds: 10 };
  const errors = [{ message, path: ['ingestHealth'], extensions }];
  await page.route('**/graphql', route =>
    route.request().postData()?.includes('query LiveHistory')
      ? route.fulfill({ json: { data: { ingestHealth: null }, errors } })
      : route.continue(),
  );
  await page.reload();
  const note = page.getByText('Loading takes longer than usual. Trying again…');
  await note.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await lookAt(page, 'live-slow');
  await page.unroute('**/graphql');
  await note.waitFor({ state: 'detached' });
});
