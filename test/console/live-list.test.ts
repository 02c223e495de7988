// How the list of the live view is read: its filters, its pauses, and the focus in it.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventText } from '../harness/batch.ts';
import { eventually } from '../harness/eventually.ts';
import { lookAt } from './harness/look-at.ts';
import { reportUnavailable } from './harness/report-unavailable.ts';
import { listOf, MIXED, rowsOf, useLive } from './live-scene.ts';

const { newTenant, post, postStored, openLive } = useLive();

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
