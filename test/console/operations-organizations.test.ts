// Platform admins handle organizations: their limits, users, terms, agencies and invoices.

import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { Tenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { answerYes, useOperations } from './operations-scene.ts';

const { query, newTenant, openAt } = useOperations();

async function named(name: string): Promise<Tenant> {
  const tenant = await newTenant();
  await query('UPDATE organizations SET name = $1 WHERE id = $2', [name, tenant.organizationId]);
  return tenant;
}

async function chooseOrganization(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Organization' }).fill(name);
  await page.getByRole('option', { name }).click();
}

test('an organization is created, limited and closed', async () => {
  const page = await openAt('/organizations');
  const name = `Shop ${uuidv7()}`;
  await page.getByRole('button', { name: 'New organization' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('First workspace').fill('Web shop');
  await dialog.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: 'test' }).click();
  await dialog.getByRole('button', { name: 'Create organization' }).click();
  expect(await dialog.getByLabel('Write key').inputValue()).toMatch(/^wk_/);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByLabel('Search by name').fill(name);
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Set limit' }).click();
  await dialog.getByLabel('Events per minute').fill('1200');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('its own').waitFor();
  await lookAt(page, 'operations-organizations');

  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  const close = dialog.getByRole('button', { name: 'Close organization' });
  expect(await close.isDisabled()).toBe(true);
  await dialog.getByLabel('Organization name').fill(name);
  await lookAt(page, 'operations-close');
  await close.click();
  await row.getByText('Closed', { exact: true }).waitFor();
  const [organization] = await query(
    'SELECT closed_at IS NOT NULL AS closed, ingress_events_per_minute FROM organizations WHERE name = $1',
    [name],
  );
  expect(organization).toEqual({ closed: true, ingress_events_per_minute: 1_200 });
});

test('the access of a user is revoked in one organization, and restored', async () => {
  const { organizationId } = await named('Of the thief');
  const page = await openAt('/users');
  await page.getByLabel('User ID').fill('a-thief');
  await chooseOrganization(page, 'Of the thief');
  await lookAt(page, 'operations-users');
  await page.getByRole('button', { name: 'Revoke access' }).click();
  await page.getByText('are refused in “Of the thief” until').waitFor();
  await answerYes(page, 'Revoke access');
  await page.getByText('The access was revoked.').waitFor();
  const revoked = () =>
    query('SELECT subject FROM revoked_subjects WHERE organization_id = $1', [organizationId]);
  expect(await revoked()).toEqual([{ subject: 'a-thief' }]);
  await page.getByRole('button', { name: 'Restore access' }).click();
  await answerYes(page, 'Restore access');
  await page.getByText('The access was restored.').waitFor();
  expect(await revoked()).toEqual([]);
});

test('the terms of a region are changed, and an organization is assigned to a region', async () => {
  const { organizationId } = await named('Abroad');
  const page = await openAt('/terms');
  await page.getByRole('button', { name: 'Edit the terms of India' }).click();
  const form = page.getByRole('dialog').first();
  await form.getByLabel('Commission of each payment').fill('12.34');
  await form.getByLabel('Minimum payout').fill('1,500');
  await lookAt(page, 'operations-terms-form');
  await form.getByRole('button', { name: 'Save' }).click();
  await answerYes(page, 'Change terms');
  await page.getByText('The terms were changed.').waitFor();
  const [terms] = await query(
    "SELECT commission_rate_bps, payout_minimum_minor::int FROM program_terms WHERE region = 'INDIA'",
  );
  expect(terms).toEqual({ commission_rate_bps: 1_234, payout_minimum_minor: 150_000 });
  await page.getByText('12.3% of each payment').waitFor();
  await lookAt(page, 'operations-terms');

  const [{ region } = {}] = await query(
    "SELECT region FROM program_terms WHERE region <> 'INDIA' ORDER BY region LIMIT 1",
  );
  await page.getByRole('button', { name: 'Set organization region' }).click();
  await chooseOrganization(page, 'Abroad');
  await form.getByRole('combobox', { name: 'Region' }).click();
  await page.getByRole('option', { name: String(region).replaceAll('_', ' ') }).click();
  await form.getByRole('button', { name: 'Set region' }).click();
  await answerYes(page, 'Set region');
  await page.getByText('The region was set.').waitFor();
  const set = await query('SELECT region FROM partner_profiles WHERE organization_id = $1', [
    organizationId,
  ]);
  expect(set).toEqual([{ region }]);
});

test('an organization is appointed as an agency', async () => {
  await named('Resellers');
  const page = await openAt('/agencies');
  await chooseOrganization(page, 'Resellers');
  await page.getByLabel('Domain').fill('https://www.resellers-of-a-test.com/about');
  await page.getByLabel('Agreement reference').fill('A-1');
  await page.getByLabel('Agreement signed on').fill('2026-01-31');
  await page.getByRole('button', { name: 'Appoint' }).click();
  await answerYes(page, 'Appoint');
  await page
    .getByRole('region', { name: 'Resellers' })
    .getByText('resellers-of-a-test.com', { exact: true })
    .waitFor();
  await lookAt(page, 'operations-agencies');
});

test('an invoice is registered, but not twice with other values', async () => {
  const { organizationId } = await named('Payers');
  const page = await openAt('/invoices');
  const register = async (total: string) => {
    await page.getByLabel('Invoice number').fill('INV-7');
    await page.getByLabel('Total').fill(total);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Register invoice' }).click();
  };
  await chooseOrganization(page, 'Payers');
  await register('1,180.50');
  await page.getByText('Invoice INV-7 was registered.').waitFor();
  const invoices = await query(
    'SELECT id, total_minor::int FROM invoices WHERE organization_id = $1',
    [organizationId],
  );
  expect(invoices).toEqual([{ id: 'INV-7', total_minor: 118_050 }]);
  await register('9');
  await page.getByText('already registered with other values').waitFor();
  await lookAt(page, 'operations-invoices');
});

test('a billing link is created once, and is in the list', async () => {
  const { organizationId } = await named('Debtors');
  const page = await openAt('/links');
  await page.getByText('No billing links').waitFor();
  await page.getByRole('button', { name: 'New link' }).click();
  const form = page.getByRole('dialog').first();
  await form.getByRole('combobox', { name: 'Organization' }).fill('Debtors');
  await page.getByRole('option', { name: 'Debtors' }).click();
  await form.getByLabel('Amount').fill('500');
  await form.getByLabel('Purpose').fill('Invoice INV-9');
  await form.getByLabel('Payer’s phone').fill('9999999999');
  await form.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('“Debtors” can use it to pay ₹500.00').waitFor();
  await page
    .getByRole('dialog', { name: 'Create billing link' })
    .getByRole('button', { name: 'Create link' })
    .dblclick();
  const row = page.getByRole('row').filter({ hasText: 'Invoice INV-9' });
  await row.getByText('₹500.00').waitFor();
  await lookAt(page, 'operations-links');
  const links = await query('SELECT purpose FROM gateway_links WHERE payer_organization_id = $1', [
    organizationId,
  ]);
  expect(links).toEqual([{ purpose: 'Invoice INV-9' }]);
});
