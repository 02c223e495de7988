// Trends, funnels and retention in a browser, with events in ClickHouse.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { eventRow, insertRows, type Row } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function openAt({ organizationId }: Tenant, path: string): Promise<Page> {
  const token = await tokenFor(organizationId, { roles: ['member'] });
  return open({ url: api().url, token, path });
}

/** The steps of a checkout, the people who got that far, and when, in milliseconds. */
const CHECKOUT = [
  ['Product Viewed', 10, 0],
  ['Product Added', 8, 400],
  ['Checkout Started', 7, 2 * MINUTE_MS],
  ['Order Completed', 2, 3 * MINUTE_MS],
] as const;

/** The last of them did all of it on a phone. */
async function insertCheckouts(tenant: Tenant): Promise<void> {
  const startMs = Date.now() - 2 * 60 * MINUTE_MS;
  const rows = CHECKOUT.flatMap(([event, people, afterMs]) =>
    Array.from({ length: people }, (_, person) =>
      eventRow(tenant, {
        event,
        user_id: `user-${person}`,
        timestamp: new Date(startMs + afterMs).toISOString(),
        properties: JSON.stringify({ device: person < 2 ? 'desktop' : 'phone', total: person + 1 }),
      }),
    ),
  );
  await insertRows('events_raw', rows);
}

async function chooseEvent(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name }).click();
}

const stepRow = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Steps of the funnel' })
    .getByRole('row')
    .filter({ hasText: name });

test('a funnel of a checkout shows the step after which most people drop off, and who they are', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/insights/funnel');
  await page.getByRole('heading', { name: 'No events in the last 30 days' }).waitFor();
  await insertCheckouts(tenant);
  await page.goto(`${api().url}/console/`);
  await page.getByRole('link', { name: 'Insights' }).click();
  const section = page.getByRole('link', { name: 'Funnel' });
  await section.press('Enter');
  await page.getByRole('heading', { name: 'Choose at least two steps' }).waitFor();
  expect(await section.evaluate(link => link === document.activeElement)).toBe(true);
  await lookAt(page, 'funnel-empty');
  await chooseEvent(page, 'Step 1', 'Product Viewed');
  await chooseEvent(page, 'Step 2', 'Product Added');
  for (const [at, [name]] of CHECKOUT.entries()) {
    if (at < 2) continue;
    await page.getByRole('button', { name: 'Add a step' }).click();
    await chooseEvent(page, `Step ${at + 1}`, name);
  }
  await page.getByText('5 of 7 (71.4%) don’t reach Order Completed.').waitFor();
  await stepRow(page, 'Order Completed').getByText('60 seconds').waitFor();
  await stepRow(page, 'Product Added').getByText('under 1 second').waitFor();
  await stepRow(page, 'Order Completed').getByText('20%').waitFor();
  await stepRow(page, 'Checkout Started').getByRole('button').click();
  const dropOffs = page.getByRole('region', { name: 'Drop-offs after Checkout Started' });
  await dropOffs.getByRole('link', { name: 'user-6' }).waitFor();
  expect(await dropOffs.getByRole('link').allInnerTexts()).toEqual(
    [2, 3, 4, 5, 6].map(at => `user-${at}`),
  );
  await lookAt(page, 'funnel');
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto(link);
  await dropOffs.getByRole('link', { name: 'user-6' }).waitFor();
  await page.getByRole('button', { name: 'Close drop-offs' }).click();
  await dropOffs.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show SQL' }).click();
  await page
    .getByRole('region', { name: 'SQL of the report' })
    .getByText(/SELECT/)
    .waitFor();
});

test('the first result of a funnel with four steps is in view, with who counts as a person', async () => {
  const tenant = await createTenant();
  await insertCheckouts(tenant);
  const search = new URLSearchParams(CHECKOUT.map(([name]) => ['step', name]));
  const page = await openAt(tenant, `/insights/funnel?${search}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByText('Events without a user ID count under their anonymous ID.').waitFor();
  const row = stepRow(page, 'Product Viewed');
  await row.waitFor();
  const { y, height } = (await row.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(800);
});

test('a funnel is broken down and filtered by a property', async () => {
  const tenant = await createTenant();
  await insertCheckouts(tenant);
  const page = await openAt(tenant, '/insights/funnel?step=Product+Viewed&step=Order+Completed');
  await page.getByText('8 of 10 (80%) don’t reach Order Completed.').waitFor();
  await page.getByRole('combobox', { name: 'Break down by' }).click();
  await page.getByRole('option', { name: 'device' }).click();
  const table = page.getByRole('table', { name: 'The funnel by device' });
  await table.getByRole('row', { name: /^desktop 2 2 100%/ }).waitFor();
  await table.getByRole('row', { name: /^phone 8 0 0%/ }).waitFor();
  await lookAt(page, 'funnel-breakdown');
  await page.getByRole('button', { name: 'Add a filter to step 1' }).click();
  await page.getByText('Choose a property').waitFor();
  await page.getByRole('combobox', { name: 'Step 1, filter 1: property' }).fill('total');
  await page.getByRole('combobox', { name: 'Step 1, filter 1: comparison' }).click();
  await page.getByRole('option', { name: 'is at most' }).click();
  await page.getByText('Enter a number').waitFor();
  await page.getByRole('textbox', { name: 'Step 1, filter 1: value' }).fill('5');
  await table.getByRole('row', { name: /^phone 3 0 0%/ }).waitFor();
  await lookAt(page, 'funnel-filter');
  await page.reload();
  await table.getByRole('row', { name: /^phone 3 0 0%/ }).waitFor();
});

test('the properties of an event are asked for once its name is typed', async () => {
  const tenant = await createTenant();
  await insertCheckouts(tenant);
  const page = await openAt(tenant, '/insights/funnel?step=Product+Viewed&step=Order+Completed');
  const asked: unknown[] = [];
  page.on('request', request => {
    const text = request.postData() ?? '';
    if (text.includes('query NewestProperties')) asked.push(JSON.parse(text).variables.names);
  });
  await page.getByRole('combobox', { name: 'Break down by' }).click();
  await page.getByRole('option', { name: 'device' }).click();
  // The paused clock could not cancel the timer of this change, which would then undo what is typed.
  await page.waitForURL(/by=device/);
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  const step = page.getByRole('combobox', { name: 'Step 1', exact: true });
  await step.clear();
  await step.pressSequentially('Product Added');
  await page.clock.resume();
  await expect.poll(() => asked.at(-1)).toEqual(['Product Added']);
  expect(asked).toEqual([['Product Viewed'], ['Product Added']]);
});

async function expectFocus(place: Locator): Promise<void> {
  await expect.poll(() => place.evaluate(one => one === document.activeElement)).toBe(true);
}

/** How many events have each name. */
const NAMES = { Home: 3, 'Checkout Started': 2, Checkout: 1 } as const;

async function insertNames(tenant: Tenant): Promise<void> {
  const rows = Object.entries(NAMES).flatMap(([event, count]) =>
    Array.from({ length: count }, () => eventRow(tenant, { event, timestamp: daysAgo(1) })),
  );
  await insertRows('events_raw', rows);
}

test('an event is chosen with the keyboard; a name without events has a warning', async () => {
  const tenant = await createTenant();
  await insertNames(tenant);
  const page = await openAt(tenant, '/insights/funnel');
  const step = (at: number) => page.getByRole('combobox', { name: `Step ${at}`, exact: true });
  const options = page.getByRole('option');
  await step(1).click();
  await page.getByRole('option', { name: 'Home 3 events' }).waitFor();
  await page
    .getByText('Number of events, not of people, in the 30 days before this page was opened.')
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Insights' }).click();
  await page.keyboard.press('/');
  await step(1).pressSequentially('checkout');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual(['Checkout\n1 event', 'Checkout Started\n2 events']);
  const first = await step(1).getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${first}"]`).textContent()).toContain('1 event');
  await step(1).press('Enter');
  expect(await step(1).inputValue()).toBe('Checkout');
  await expectFocus(step(2));
  await page.keyboard.type('started');
  await expect.poll(() => options.count()).toBe(1);
  await page.keyboard.press('Enter');
  expect(await step(2).inputValue()).toBe('Checkout Started');
  const add = page.getByRole('button', { name: 'Add a step' });
  await expectFocus(add);
  await step(1).press('ArrowDown');
  await expect.poll(() => options.count()).toBe(3);
  await add.press('Enter');
  await expectFocus(step(3));
  await page.keyboard.type('home');
  await page.keyboard.press('Tab');
  const warning = page.getByText('No event with this name was received in the last 30 days.');
  await warning.waitFor();
  expect(await warning.getAttribute('role')).toBe('status');
  expect(await step(3).getAttribute('aria-describedby')).toBe(await warning.getAttribute('id'));
  await lookAt(page, 'event-unknown');
  await step(3).fill('Home');
  await warning.waitFor({ state: 'detached' });
  await step(3).fill('');
  await step(3).press('Enter');
  expect(await step(3).inputValue()).toBe('');
});

test('trends count events and people, compare with the period before, and keep to the limits', async () => {
  const tenant = await createTenant();
  await insertCheckouts(tenant);
  const before = { event: 'Product Viewed', user_id: 'user-0', timestamp: daysAgo(10) };
  await insertRows('events_raw', [eventRow(tenant, before), eventRow(tenant, before)]);
  const page = await openAt(tenant, '/insights?');
  const lines = page.getByRole('table', { name: 'Lines' });
  await lines.getByRole('row', { name: 'Any event At least 29' }).waitFor();
  await page.getByText('7 days', { exact: true }).click();
  await chooseEvent(page, 'Event 1', 'Product Viewed');
  await page.getByRole('switch', { name: 'Compare with the previous period' }).click();
  await lines.getByRole('row', { name: 'Product Viewed At least 10 2 +400%' }).waitFor();
  await lookAt(page, 'trends');
  await page.getByRole('combobox', { name: 'Break down by' }).fill('device');
  await lines.getByRole('row', { name: /^phone At least 8/ }).waitFor();
  await page.getByRole('combobox', { name: 'Measure' }).click();
  await page.getByRole('option', { name: 'Average of' }).click();
  await page.getByText('Choose a numeric property').waitFor();
  await page.getByRole('combobox', { name: 'Number' }).fill('total');
  await lines.getByRole('row', { name: /^desktop 1.5/ }).waitFor();
  await page.getByRole('button', { name: 'Show values' }).click();
  await page.getByRole('table', { name: 'Values' }).waitFor();
  await lookAt(page, 'trends-breakdown');
  await page.getByText('By hour', { exact: true }).click();
  await page.getByText('Custom', { exact: true }).click();
  await page.getByLabel('From').fill('2020-01-01T00:00');
  await page
    .getByText('at most 31 days apart. For a longer time, choose longer intervals.')
    .waitFor();
});

test('retention shows how many of each week’s people returned', async () => {
  const tenant = await createTenant();
  const people = ['ann', 'bob', 'cem', 'dee'];
  const visits: Row[] = people.map(user => ({ user_id: user, timestamp: daysAgo(21) }));
  visits.push(...people.slice(0, 2).map(user => ({ user_id: user, timestamp: daysAgo(14) })));
  const rows = visits.map(visit => eventRow(tenant, { event: 'App Opened', ...visit }));
  await insertRows('events_raw', rows);
  const page = await openAt(tenant, '/insights/retention?range=month');
  const grid = page.getByRole('table', { name: 'People who returned, by week' });
  await grid.getByRole('row', { name: /4 100% 50% 0%/ }).waitFor();
  await page.getByText('This week isn’t over').waitFor();
  await lookAt(page, 'retention');
  await chooseEvent(page, 'Returning event', 'App Opened');
  await page.waitForURL(/return=App\+Opened/);
  await page.getByRole('combobox', { name: 'First event' }).fill('Nothing');
  await page.getByRole('heading', { name: 'No first events in this time range' }).waitFor();
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

/** As the API answers if ClickHouse reaches the time limit. */
const TOO_SLOW = {
  contentType: 'application/json',
  body: JSON.stringify({
    data: { trends: null },
    errors: [
      {
        message:
          'The report took longer than 10 seconds. Try again, shorten the time range, or add filters.',
        path: ['trends'],
        extensions: { code: 'BAD_USER_INPUT', reason: 'REPORT_TOO_LARGE', timeLimitSeconds: 10 },
      },
    ],
  }),
};

test('a report that took too long can be asked for again', async () => {
  const tenant = await createTenant();
  await insertCheckouts(tenant);
  const page = await openAt(tenant, '/insights?');
  await page.route('**/graphql', route =>
    route.request().postData()?.includes('query Trends')
      ? route.fulfill(TOO_SLOW)
      : route.continue(),
  );
  await page.reload();
  const refused = page.getByRole('alert').filter({ hasText: 'The report took too long' });
  await refused.getByText('The report took longer than 10 seconds.').waitFor();
  await page.unroute('**/graphql');
  await refused.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Lines' }).waitFor();
  expect(await refused.count()).toBe(0);
});
