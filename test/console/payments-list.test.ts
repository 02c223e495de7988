// The list of payments with its filters and totals, and the page of an order.

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Role } from '../../graphql-api/platform/viewer.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { recordPayment } from '../graphql-api/harness/gateway.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

async function openPayments(tenant: Tenant, path = '', role: Role = 'member'): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return open({ url: api().url, token, path: `/payments${path}` });
}

test('payments are found by state, day and ID, and the address keeps the filters', async () => {
  const tenant = await createTenant();
  const [failed, paid, orderId] = [`failed-${randomUUID()}`, `paid-${randomUUID()}`, randomUUID()];
  const account = { accountId: tenant.workspaceId, amountMinor: 1_250n };
  await recordPayment(tenant, { ...account, cfPaymentId: failed });
  await recordPayment(tenant, { ...account, cfPaymentId: paid, orderId, method: 'debit_card' });
  await sql(
    `UPDATE gateway_payments SET status = 'FAILED', created_at = '2026-01-10T12:00:00Z'
     WHERE cf_payment_id = $1`,
    [failed],
  );
  const page = await openPayments(tenant);
  const [failedRow, paidRow] = [failed, paid].map(id => page.getByRole('cell', { name: id }));
  await failedRow!.waitFor();
  const totals = page.getByLabel('Totals in INR');
  await totals.getByText('₹12.50').first().waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await paidRow!.waitFor({ state: 'detached' });
  await totals.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Any day' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-11');
  await page.getByText('No results').waitFor();
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await failedRow!.waitFor();
  await lookAt(page, 'payments-days');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '1 Jan 2026 to 31 Jan 2026' }).waitFor();
  await lookAt(page, 'payments-filtered');
  await page.reload();
  await failedRow!.waitFor();
  expect(await paidRow!.count()).toBe(0);
  await page.goto(page.url().replace(/\?.*/, ''));
  await paidRow!.waitFor();
  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'Card' }).click();
  await failedRow!.waitFor({ state: 'detached' });
  await page.reload();
  await paidRow!.waitFor();
  expect(await failedRow!.count()).toBe(0);
  // Chosen again, it no longer filters.
  await page.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: 'Card' }).click();
  await failedRow!.waitFor();
  const search = page.getByRole('textbox', { name: 'Search' });
  await search.fill(orderId);
  await failedRow!.waitFor({ state: 'detached' });
  await paidRow!.waitFor();
  const place = await search.boundingBox();
  await search.fill('nothing is called this');
  await page.getByText('No results').waitFor();
  await page.getByLabel('Totals', { exact: true }).getByText('–').first().waitFor();
  expect(await search.boundingBox()).toEqual(place);
  await search.press('Escape');
  await failedRow!.waitFor();
  expect(await search.inputValue()).toBe('');
});

test('a payment is found by what its row says, with few steps of the Tab key, and is focused again', async () => {
  const tenant = await createTenant();
  const [linked, other] = [`linked-${randomUUID()}`, `other-${randomUUID()}`];
  const account = { accountId: tenant.workspaceId, amountMinor: 1_250n };
  for (const cfPaymentId of [linked, other])
    await recordPayment(tenant, { ...account, cfPaymentId });
  await sql(
    `INSERT INTO gateway_links (id, account_id, workspace_id, link_id, purpose, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, $2, 'Order 1042', 1250, 'INR')`,
    [tenant.workspaceId, linked],
  );
  await sql('UPDATE gateway_payments SET link_id = $1 WHERE cf_payment_id = $1', [linked]);
  const page = await openPayments(tenant);
  const row = page.getByRole('row').filter({ hasText: 'Order 1042' });
  const otherRow = page.getByRole('row').filter({ hasText: other });
  await otherRow.waitFor();
  await page.getByRole('textbox', { name: 'Search' }).fill('1042');
  await otherRow.waitFor({ state: 'detached' });
  // State, method, days, and the link of the first row.
  for (let step = 0; step < 4; step++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '₹12.50' }).waitFor();
  const focusOf = (of: typeof row) =>
    of.getByRole('link', { name: '₹12.50' }).and(page.locator(':focus'));
  await page.goBack();
  await focusOf(row).waitFor();
  // By the link to the list, which has no search.
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: '₹12.50' }).and(page.locator(':focus-visible'));
  await heading.waitFor();
  // One style of the ring, also where it is not of a component.
  const ringOf = (element: typeof heading) =>
    element.evaluate(shown => getComputedStyle(shown).outline);
  const ofHeading = await ringOf(heading);
  await page.keyboard.press('Tab');
  expect(ofHeading).toBe(await ringOf(page.locator(':focus-visible')));
  await page.getByRole('main').getByRole('link', { name: 'Payments' }).click();
  await otherRow.waitFor();
  await focusOf(row).waitFor();
  // Not on an arrival from elsewhere.
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page
    .getByText('To refund a payment, open it in')
    .getByRole('link', { name: 'Payments' })
    .click();
  await otherRow.waitFor();
  expect(await focusOf(row).count()).toBe(0);
});

test('the palette opens the successful payments, and says how to refund one', async () => {
  const tenant = await createTenant();
  const [failed, paid] = [`failed-${randomUUID()}`, `paid-${randomUUID()}`];
  const account = { accountId: tenant.workspaceId, amountMinor: 1_250n };
  for (const cfPaymentId of [failed, paid])
    await recordPayment(tenant, { ...account, cfPaymentId });
  await sql(`UPDATE gateway_payments SET status = 'FAILED' WHERE cf_payment_id = $1`, [failed]);
  const page = await openPayments(tenant, `?search=${failed}`, 'owner');
  const [failedRow, paidRow] = [failed, paid].map(id => page.getByRole('cell', { name: id }));
  const hint = page.getByText('Open a payment to refund it.');
  await failedRow!.waitFor();
  expect(await hint.count()).toBe(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox', { name: 'Search' }).fill('refund');
  await palette.locator('[data-selected]').filter({ hasText: 'Refund a payment' }).waitFor();
  await page.keyboard.press('Enter');
  await paidRow!.waitFor();
  await failedRow!.waitFor({ state: 'detached' });
  await hint.waitFor();
  const state = page.getByRole('combobox', { name: 'State' });
  expect(await state.inputValue()).toBe('Success');
  expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('');
  await lookAt(page, 'payments-to-refund');
  await state.click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await failedRow!.waitFor();
  expect(await hint.count()).toBe(0);
});

test('the way back to the list shows as many pages as before, and focuses the payment', async () => {
  const tenant = await createTenant();
  const account = { accountId: tenant.workspaceId, amountMinor: 1_250n };
  for (let count = 0; count < 60; count++)
    await recordPayment(tenant, { ...account, cfPaymentId: `paid-${randomUUID()}` });
  const page = await openPayments(tenant);
  const links = page.getByRole('row').getByRole('link', { name: '₹12.50' });
  const more = page.getByRole('button', { name: 'Show more' });
  await expect.poll(() => links.count()).toBe(25);
  await more.click();
  await expect.poll(() => links.count()).toBe(50);
  await more.click();
  await expect.poll(() => links.count()).toBe(60);
  const href = (await links.last().getAttribute('href'))!;
  await links.last().click();
  await page.getByRole('heading', { name: '₹12.50' }).waitFor();
  await page.goBack();
  await page.locator(`a[href="${href}"]:focus`).waitFor();
  expect(await links.count()).toBe(60);
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Payments' })
    .click();
  await expect.poll(() => links.count()).toBe(25);
});

test('an order shows its payments, its refunds and the way to each', async () => {
  const tenant = await createTenant();
  const [orderId, cfPaymentId] = [`order-${randomUUID()}`, `paid-${randomUUID()}`];
  await sql(
    `INSERT INTO gateway_orders (id, account_id, workspace_id, order_id, status, amount_minor,
       currency, amount_paid_minor, refunded_minor, splits)
     VALUES (gen_random_uuid(), $1, $1, $2, 'PAID', 17050, 'INR', 17050, 7050,
       '[{"vendorId": "asha", "percentage": "12.5"}]')`,
    [tenant.workspaceId, orderId],
  );
  const account = { accountId: tenant.workspaceId, amountMinor: 17_050n };
  await recordPayment(tenant, { ...account, cfPaymentId, orderId, method: 'upi' });
  const page = await openPayments(tenant, '/orders');
  await page.getByRole('row').filter({ hasText: orderId }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Order of ₹170.50' }).waitFor();
  await page.getByText(orderId, { exact: true }).waitFor();
  await page.getByText('asha: 12.5 %').waitFor();
  await page.getByText('No refund yet').waitFor();
  await sql(
    `INSERT INTO gateway_refunds (id, account_id, workspace_id, refund_id, cf_payment_id, order_id,
       status, amount_minor, currency)
     VALUES (gen_random_uuid(), $1, $1, 'r', $2, $3, 'SUCCESS', 7050, 'INR')`,
    [tenant.workspaceId, cfPaymentId, orderId],
  );
  await page.reload();
  await page.getByRole('table', { name: 'Refunds' }).getByText('₹70.50').waitFor();
  await lookAt(page, 'payments-order');
  await page
    .getByRole('table', { name: 'Payments' })
    .getByRole('link', { name: '₹170.50' })
    .click();
  await page.getByRole('heading', { name: '₹170.50', exact: true }).waitFor();
  await page.getByRole('link', { name: orderId }).click();
  await page.getByRole('heading', { name: 'Order of ₹170.50' }).waitFor();
});
