// The live view shows the events that arrive.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../schema/values/durations.ts';
import { eventText } from '../harness/batch.ts';
import { createCampaign } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { IN_APP_EVENTS, postJson, reportOf } from '../harness/in-app.ts';
import { lookAt } from './harness/look-at.ts';
import { listOf, MIXED, rowsOf, useLive } from './live-scene.ts';

const { ingest, newTenant, post, postStored, openAs, openLive } = useLive();

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

async function openMixed(): Promise<Page> {
  const tenant = await newTenant({ minuteCap: 6_000 });
  const page = await openLive(tenant);
  await post(tenant, MIXED);
  return page;
}

async function expectMarked(page: Page, text: string): Promise<void> {
  const marked = page.getByRole('dialog').locator('mark');
  await eventually(async () => expect((await marked.allTextContents()).join()).toContain(text));
  expect(await marked.count()).toBe(1);
}

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
  await postJson(ingest(), tenant, IN_APP_EVENTS, reportOf({ campaign_id }));
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
  const page = await openAs('member', tenant, '/keys');
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Test event code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Waiting for an event with this key…').waitFor();
  await post(tenant, [eventText({ event: '"Test Event"' })]);
  await dialog.getByText('“Test Event” arrived').waitFor();
  const live = await dialog.getByRole('link', { name: 'See it live' }).getAttribute('href');
  expect(live).toBe('/console/live?name=Test+Event');
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
