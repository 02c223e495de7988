// Deliveries that did not arrive: why, and how an owner has them sent again.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSentence } from '../../console/views/webhooks/deliveries/in-sentence.ts';
import { momentOf } from '../../console/views/webhooks/endpoint/since.ts';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { startTestReceiver, type TestReceiver } from '../harness/webhook-receiver.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { happen, insertDelivered, makeEndpoint, untilSettled } from './webhooks-scene.ts';

const api = useApi();
const open = useConsole(useChromium());
let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startTestReceiver();
});
afterAll(() => receiver.stop());

async function openEndpoint() {
  const tenant = await createTenant();
  const { id } = (await makeEndpoint({ api: api(), tenant }, receiver.url)).webhookEndpoint;
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const openPage = () => open({ url: api().url, token, path: `/webhooks/endpoints/${id}` });
  return { tenant, openPage };
}

/** Prevents a scheduled retry during the test. */
function postpone({ workspaceId }: Tenant) {
  return sql(
    `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '5 hours'
     WHERE workspace_id = $1`,
    [workspaceId],
  );
}

async function chooseState(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name }).click();
}

test('deliveries that wait for a retry are sent now: one, or all of an endpoint', async () => {
  const { tenant, openPage } = await openEndpoint();
  receiver.answer(500);
  const types = ['payment.failed', 'payment.succeeded', 'order.paid', 'order.expired'];
  const ids = await Promise.all(types.map(type => happen(tenant, type)));
  await Promise.all(ids.map(id => untilSettled(id, 'PENDING')));
  await postpone(tenant);
  const before = receiver.received.length;
  receiver.answer(204);
  const page = await openPage();
  await page.getByText('4 deliveries are waiting for a retry').waitFor();
  await page.getByText('Next attempt: in 5 hours').waitFor();
  await page.getByRole('cell', { name: 'Retrying' }).nth(3).waitFor();
  await page.getByLabel('Last 24 hours').getByText('Retrying', { exact: true }).waitFor();
  await lookAt(page, 'webhooks-waiting');
  await page.getByRole('button', { name: 'Resend: payment.failed' }).click();
  await page.getByText('1 delivery will be resent.').waitFor();
  await page.getByText('3 deliveries are waiting for a retry').waitFor();
  await page.getByRole('link', { name: 'Show only these' }).click();
  await page.getByRole('link', { name: 'payment.failed' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('cell', { name: 'Retrying' }).count()).toBe(3);

  await page.getByRole('button', { name: 'Resend deliveries …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 deliveries will be resent.').waitFor();
  await lookAt(page, 'webhooks-resend');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'payment.succeeded' }).click();
  await page.getByText('Your server responded with 500.').first().waitFor();
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  await page.getByRole('link', { name: 'Shop backend' }).first().click();

  await page.getByText('2 deliveries are waiting for a retry').waitFor();
  await page.getByRole('button', { name: 'Resend 2 now' }).click();
  await page.getByText('2 deliveries will be resent.').waitFor();
  await page.getByText('waiting for a retry').waitFor({ state: 'detached' });
  await page.locator('h2:focus', { hasText: 'Deliveries' }).waitFor();
  await Promise.all(ids.map(id => untilSettled(id, 'DELIVERED')));
  const sent = receiver.received.slice(before).map(({ id }) => id);
  expect(sent.toSorted()).toEqual(ids.toSorted());
  // The figures and the rows agree.
  await page.getByLabel('Last 24 hours').getByText('4', { exact: true }).waitFor();
  await page.getByText('Deliveries are failing').waitFor({ state: 'detached' });
});

test('the empty list of failed deliveries leads to those that are retried', async () => {
  const { tenant, openPage } = await openEndpoint();
  receiver.answer(500);
  const ids = await Promise.all(['payment.failed', 'order.paid'].map(type => happen(tenant, type)));
  await Promise.all(ids.map(id => untilSettled(id, 'PENDING')));
  await postpone(tenant);
  const page = await openPage();
  await page.getByRole('link', { name: 'payment.failed' }).waitFor();
  await chooseState(page, 'Failed');
  await page.getByRole('link', { name: '2 deliveries wait for a retry' }).click();
  await page.getByRole('link', { name: 'payment.failed' }).waitFor();
  expect(new URL(page.url()).search).toBe('?state=RETRYING');
  await chooseState(page, 'Pending');
  await page.getByText('No matching deliveries').waitFor();

  await page.getByRole('link', { name: 'Webhooks', exact: false }).first().click();
  await page.getByText('2 retrying', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await chooseState(page, 'Failed');
  await page.getByRole('link', { name: '2 deliveries wait for a retry' }).waitFor();
});

test('the navigation counts failing endpoints, and no longer once a resend succeeded', async () => {
  const { tenant, openPage } = await openEndpoint();
  receiver.answer(500);
  await untilSettled(await happen(tenant, 'payment.failed'), 'PENDING');
  await postpone(tenant);
  const page = await openPage();
  const link = page.getByRole('navigation', { name: 'Views' }).getByRole('link', {
    name: 'Webhooks',
  });
  await link.getByText('1 endpoint is failing').waitFor();
  receiver.answer(204);
  await page.getByRole('button', { name: 'Resend 1 now' }).click();
  await page.getByText('Deliveries are failing').waitFor({ state: 'detached' });
  await page.getByText('Deliveries succeed again').waitFor();
  await page.getByText('No delivery waits for a retry').waitFor();
  await lookAt(page, 'webhooks-succeeding-again');
  await link.getByText('1 endpoint is failing').waitFor({ state: 'detached' });
});

test('the list of endpoints and the navigation show by themselves that one fails', async () => {
  const { tenant, openPage } = await openEndpoint();
  const page = await openPage();
  await page.getByRole('link', { name: 'Webhooks', exact: false }).first().click();
  await page.getByText('Enabled', { exact: true }).waitFor();
  receiver.answer(500);
  await untilSettled(await happen(tenant, 'payment.failed'), 'PENDING');
  await postpone(tenant);
  await page.getByText('Failing', { exact: true }).waitFor();
  await page.getByText(/^Failing since/).waitFor();
  await page.getByRole('navigation').getByText('1 endpoint is failing').waitFor();
});

test('the page of an endpoint shows new deliveries by itself, and refuses a wrong date', async () => {
  const { tenant, openPage } = await openEndpoint();
  receiver.answer(204);
  const page = await openPage();
  await page.getByText('No deliveries yet').waitFor();
  await untilSettled(await happen(tenant, 'payment.succeeded'), 'DELIVERED');
  await page.getByRole('link', { name: 'payment.succeeded' }).waitFor();
  await page.getByLabel('Last 24 hours').getByText('1', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Resend deliveries …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No deliveries to resend.').waitFor();
  const submit = dialog.getByRole('button', { name: 'Resend', exact: true });
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByText('Tests are not resent').waitFor();
  await dialog.getByText('All, including delivered ones').click();
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await dialog.getByText('Deliveries are kept for 30 days.').waitFor();
  const error = dialog.getByText('Enter a date and time in the past.');
  await dialog.getByLabel('Since').pressSequentially('01012026');
  await submit.click();
  await error.waitFor();
  await lookAt(page, 'webhooks-resend-date');
  await dialog.getByLabel('Since').fill('2026-01-01T00:00');
  await error.waitFor({ state: 'detached' });
  await dialog.getByLabel('Since').fill('2999-01-01T00:00');
  await error.waitFor();
  await dialog.getByLabel('Since').fill('2026-01-01T00:00');
  await dialog.getByText('1 delivery will be resent.').waitFor();
  expect(await submit.isEnabled()).toBe(true);
  // A date is no typing to ask about.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('with further pages, the figures update, the list says that it does not, and focus stays', async () => {
  const { tenant, openPage } = await openEndpoint();
  receiver.answer(204);
  await insertDelivered(tenant, 60);
  const page = await openPage();
  const links = page.getByRole('row').getByRole('link');
  const delivered = (count: string) =>
    page.getByLabel('Last 24 hours').getByText(count, { exact: true }).waitFor();
  await delivered('60');
  const paused = page.getByText('This list does not update by itself');
  expect(await paused.count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => links.count()).toBe(50);
  await page.locator('button:focus', { hasText: 'Show more' }).waitFor();
  await paused.waitFor();
  await lookAt(page, 'webhooks-paged');
  await page.keyboard.press('Enter');
  await expect.poll(() => links.count()).toBe(60);
  const added = (await links.nth(50).getAttribute('href'))!;
  await page.locator(`a[href="${added}"]:focus`).waitFor();

  await untilSettled(await happen(tenant, 'payment.succeeded'), 'DELIVERED');
  await delivered('61');
  expect(await links.count()).toBe(60);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('link', { name: 'payment.succeeded' }).waitFor();
  expect(await links.count()).toBe(61);
});

test('a test that failed says why, and is sent again', async () => {
  const { openPage } = await openEndpoint();
  receiver.answer(500);
  const page = await openPage();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Your server responded with 500.').first().waitFor();
  await page.getByText('Error response').waitFor();
  receiver.answer(204);
  await page.getByRole('button', { name: 'Send test again' }).click();
  await page.getByRole('cell', { name: '204' }).waitFor();
  await page.getByRole('link', { name: 'Shop backend' }).first().click();
  await page.getByRole('button', { name: 'Send test again: endpoint.test' }).first().waitFor();
  // Tests are not resent, so they are not among those that failed.
  await page.getByLabel('Last 24 hours').getByText('0', { exact: true }).nth(4).waitFor();
});

test.each([
  ['TIMED_OUT', 'no response within 20 s', 'Your server did not respond within 20 seconds.'],
  [
    'TIMED_OUT',
    'no connection within 5 s',
    'Your server did not accept a connection within 5 seconds.',
  ],
  [
    'CONNECTION_FAILED',
    'connection failed: ECONNREFUSED',
    'Your server refused the connection (ECONNREFUSED).',
  ],
  [
    'CONNECTION_FAILED',
    'the connection closed before a response arrived: ECONNRESET',
    'Your server closed the connection before responding (ECONNRESET).',
  ],
  [
    'ADDRESS_REFUSED',
    'the host has an address that is not on the public internet',
    'Webhooks are not sent to this address: the host has an address that is not on the public internet.',
  ],
] as const)('the outcome %s (%s) is a sentence', (outcome, reason, sentence) => {
  expect(inSentence({ outcome, reason, status: null })).toBe(sentence);
});

test.each([
  ['', null],
  ['2026-01-02T03:04', new Date('2026-01-02T03:04').toISOString()],
  ['202611-01-02T03:04', undefined],
  ['2999-01-02T03:04', undefined],
])('the date %j is read as %j', (typed, moment) => {
  expect(momentOf(typed)).toBe(moment);
});
