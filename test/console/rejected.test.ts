// Rejected events in a browser: their groups, and a page for each.

import { expect, test } from 'vitest';
import { insertRows, rejectedRow } from '../graphql-api/harness/report-rows.ts';
import { eventText } from '../harness/batch.ts';
import { rejectedEvents } from '../harness/warehouse.ts';
import { lookAt } from './harness/look-at.ts';
import {
  focused,
  GROUPS,
  isFocused,
  REASONS,
  REJECTED,
  rowOf,
  SESSION_MISSING,
  useRejected,
} from './rejected-scene.ts';

const { tenantWith, post, openAs } = useRejected();

test('rejected events are grouped, and each has a page with the position of the error', async () => {
  const page = await openAs('member', await tenantWith(), '/rejected');
  await rowOf(page, REASONS, 'INVALID_TIMESTAMP').getByText('3', { exact: true }).waitFor();
  await rowOf(page, GROUPS, 'Checkout Started').getByText('engagement-client 0.1.0').waitFor();
  await page.getByText('All 5 events are grouped.').waitFor();
  await rowOf(page, REASONS, 'MISSING_FIELD').getByText(SESSION_MISSING).waitFor();
  await rowOf(page, GROUPS, 'Product Viewed').getByText(SESSION_MISSING).waitFor();
  expect(await page.getByRole('link', { name: /^Replay (?!s)/ }).count()).toBe(0);
  await lookAt(page, 'rejected');
  await page.getByRole('link', { name: 'INVALID_TIMESTAMP' }).click();
  await page.getByText('All 3 events are grouped.').waitFor();
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  await events.getByRole('link', { name: 'bob' }).waitFor();
  expect(await focused(page)).toBe('Events of one group');
  expect(await events.getByRole('row').count()).toBe(1 + 2);
  await lookAt(page, 'rejected-group');
  await page.reload();
  await events.getByRole('row').filter({ hasText: 'bob' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Checkout Started' }).waitFor();
  await page.locator('mark').getByText('"soon"').waitFor();
  await lookAt(page, 'rejected-event');
  await page.reload();
  await page.locator('mark').getByText('"soon"').waitFor();
});

test('events of the last days are shown at first', async () => {
  const tenant = await tenantWith();
  const daysAgo = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const body = eventText({ event: '"App Opened"', sessionId: undefined });
  await insertRows('rejected_events_raw', [rejectedRow(tenant, { body, received_at: daysAgo })]);
  const page = await openAs('member', tenant, '/rejected');
  await rowOf(page, GROUPS, 'App Opened').getByText('3 days ago').waitFor();
  await page.getByText('24 hours', { exact: true }).click();
  await page.getByText('All 5 events are grouped.').waitFor();
  expect(await rowOf(page, GROUPS, 'App Opened').count()).toBe(0);
});

test('the events of yesterday are shown from midnight to midnight', async () => {
  const tenant = await tenantWith();
  // The browser's time zone is UTC.
  const midnightMs = new Date().setUTCHours(0, 0, 0, 0);
  const rejectedAt = (event: string, ms: number) =>
    rejectedRow(tenant, {
      body: eventText({ event: `"${event}"`, sessionId: undefined }),
      received_at: new Date(ms).toISOString(),
    });
  await insertRows('rejected_events_raw', [
    rejectedAt('First Event', midnightMs - 86_400_000),
    rejectedAt('Last Event', midnightMs - 1),
    rejectedAt('Event Before', midnightMs - 86_400_001),
  ]);
  const page = await openAs('member', tenant, '/rejected');
  await page.getByText('Yesterday', { exact: true }).click();
  await page.getByText('All 2 events are grouped.').waitFor();
  await rowOf(page, GROUPS, 'First Event').waitFor();
  await rowOf(page, GROUPS, 'Last Event').waitFor();
  await lookAt(page, 'rejected-yesterday');
});

test('going back leads to the same events, and to the link that was opened', async () => {
  const page = await openAs('member', await tenantWith(), '/rejected');
  const ranges: string[] = [];
  page.on('request', request => {
    const range = /"range":\{[^}]*\}/.exec(request.postData() ?? '')?.[0];
    if (request.postData()?.includes('query RejectedGroups')) ranges.push(range ?? '');
  });
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  const second = events.getByRole('row').nth(2).getByRole('link').first();
  await second.click();
  await page.locator('mark').first().waitFor();
  await page.getByRole('link', { name: 'Rejected events' }).last().click();
  await expect.poll(() => second.evaluate(isFocused)).toBe(true);
  await second.click();
  await page.locator('mark').first().waitFor();
  await page.goBack();
  await expect.poll(() => second.evaluate(isFocused)).toBe(true);
  await page.getByRole('link', { name: 'All groups' }).click();
  const group = page.getByRole('link', { name: 'Checkout Started' });
  await expect.poll(() => group.evaluate(isFocused)).toBe(true);
  expect(new Set(ranges).size).toBe(1);
});

test('a custom range is kept in the address, and one that is too long is not queried', async () => {
  const tenant = await tenantWith();
  const page = await openAs('member', tenant, '/rejected');
  await page.getByText('All 5 events are grouped.').waitFor();
  await page.getByText('Custom', { exact: true }).click();
  await page.waitForURL(/range=custom&from=.+&to=/);
  await page.getByLabel('From', { exact: true }).fill('2026-01-01T10:00');
  await page.getByText('Choose a start before the end, at most 31 days apart.').waitFor();
  expect(await page.getByRole('table', { name: REASONS }).count()).toBe(0);
  await page.getByLabel('To', { exact: true }).fill('2026-01-02T10:00');
  await page.getByRole('heading', { name: 'No rejected events' }).waitFor();
  await lookAt(page, 'rejected-custom');
});

test('the reasons stay in their order until Refresh, while their numbers change', async () => {
  const tenant = await tenantWith();
  const nextHour = new Date(Date.now() + 3_600_000).toISOString();
  const lastHour = new Date(Date.now() - 3_600_000).toISOString();
  const range = new URLSearchParams({ range: 'custom', from: lastHour, to: nextHour });
  const page = await openAs('owner', tenant, `/rejected?${range}`);
  const first = page.getByRole('table', { name: REASONS }).getByRole('link').first();
  await first.waitFor();
  expect(await first.textContent()).toBe('INVALID_TIMESTAMP');
  const unknown = Array.from({ length: 4 }, () => eventText({ type: '"clicked"' }));
  const nameless = eventText({ event: undefined });
  await post(tenant, [...unknown, nameless]);
  await rejectedEvents(tenant.workspaceId, REJECTED.length + unknown.length + 1);
  await page.getByRole('link', { name: 'UNKNOWN_EVENT_TYPE' }).click();
  await rowOf(page, REASONS, 'UNKNOWN_EVENT_TYPE').getByText('5', { exact: true }).waitFor();
  expect(await first.textContent()).toBe('INVALID_TIMESTAMP');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => first.textContent()).toBe('UNKNOWN_EVENT_TYPE');
  const missing = rowOf(page, REASONS, 'MISSING_FIELD');
  await missing.getByText(/^Several causes, for example: (event|sessionId) is missing/).waitFor();
});

test('the reasons in Live lead to their events', async () => {
  const tenant = await tenantWith();
  const page = await openAs('member', tenant, '/live');
  await page.getByRole('link', { name: 'Invalid timestamp' }).click();
  await page.waitForURL(/\/rejected\?range=hour&code=INVALID_TIMESTAMP/);
  await page.getByText('All 3 events are grouped.').waitFor();
});
