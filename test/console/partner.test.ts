import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { UPGRADE_THRESHOLD } from '../../graphql-api/partner/affiliate.upgrade.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../graphql-api/platform/viewer.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { furnishWallet } from '../graphql-api/harness/furnish-wallet.ts';
import { mutate } from '../graphql-api/harness/mutate.ts';
import {
  createAgency,
  createCertificate,
  createDeal,
  kycBody,
  refer,
} from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

async function openAs(tenant: Tenant, path = '', roles: Role[] = ['owner']): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles });
  return open({ url: api().url, token, path: `/partner${path}` });
}

async function partner(): Promise<Tenant> {
  const tenant = await createTenant();
  await furnishWallet(tenant);
  return tenant;
}

test('the overview has the link to share, how one stands, and who came by it', async () => {
  const tenant = await partner();
  const page = await openAs(tenant);
  const link = page.getByLabel('Link to share');
  await link.waitFor();
  const code = tenant.organizationId.slice(-12);
  expect(await link.inputValue()).toBe(`${api().url}/refer/${code}`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await link.inputValue());
  const funnel = page.getByRole('table', { name: 'From sign-up to earnings' });
  await funnel.getByRole('row').filter({ hasText: 'Made a first payment' }).waitFor();
  await page.getByRole('table', { name: 'Referrals' }).getByText('Paying').nth(2).waitFor();
  await lookAt(page, 'partner-overview');
});

test('the link is shared with a text that is ready for each channel', async () => {
  const page = await openAs(await partner());
  const link = await page.getByLabel('Link to share').inputValue();
  const whatsApp = page.getByRole('link', { name: 'Open WhatsApp' });
  const chat = new URL((await whatsApp.getAttribute('href'))!);
  expect(chat.host).toBe('wa.me');
  expect(chat.searchParams.get('text')).toContain(link);
  expect(await whatsApp.getAttribute('target')).toBe('_blank');
  expect(await whatsApp.getAttribute('rel')).toContain('noopener');
  const channels = page.getByRole('radiogroup', { name: 'Channel to share on' });
  await channels.getByText('Email').click();
  const email = page.getByRole('link', { name: 'Open Email' });
  const mail = new URL((await email.getAttribute('href'))!);
  expect(mail.protocol).toBe('mailto:');
  expect(mail.searchParams.get('body')).toContain(link);
  await channels.getByText('SMS').click();
  await page.getByRole('button', { name: 'Copy text' }).click();
  await page.getByRole('button', { name: 'Text copied' }).waitFor();
  const text = await page.getByLabel('Text for SMS').inputValue();
  expect(text).toContain(link);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
  expect(await page.getByRole('link', { name: 'Open SMS' }).count()).toBe(0);
});

test('the wallet shows held credits with their dates, and the ledger by kind and as CSV', async () => {
  const page = await openAs(await partner(), '/wallet');
  await page.getByRole('region', { name: 'Held credits' }).getByText('1 Jan 2100').waitFor();
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await ledger.getByText('Commission earned').waitFor();
  await lookAt(page, 'partner-wallet');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Payout requested' }).click();
  await page.keyboard.press('Escape');
  await ledger.getByText('Commission earned').waitFor({ state: 'detached' });
  expect(await ledger.getByRole('row').count()).toBe(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain('REQUEST_PAYOUT');
  expect(text).not.toContain('EARN_COMMISSION');
});

test('credits pay a part of an invoice once, and become cash', async () => {
  const page = await openAs(await partner(), '/wallet');
  await page.getByRole('button', { name: 'Apply to invoice' }).click();
  const form = page.getByRole('dialog', { name: 'Apply credits to an invoice' });
  await form.getByLabel('Invoice number').fill('INV-NOT-KNOWN-YET');
  await form.getByLabel('Invoice total').fill('400');
  await form.getByLabel('Credits to apply').fill('250');
  await form.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('button', { name: 'Apply credits' }).click();
  await form.getByText(/half/).nth(1).waitFor();
  await form.getByLabel('Credits to apply').fill('150.50');
  await form.getByRole('button', { name: 'Apply ₹150.50' }).click();
  await page.getByRole('button', { name: 'Apply credits' }).click();
  await page.getByText(/₹150.50 of the applied credits are reserved/).waitFor();
  await page.getByRole('button', { name: 'Convert to cash' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'All' }).click();
  await page.getByRole('button', { name: 'Convert ₹199.50 to cash' }).click();
  await page.getByRole('button', { name: 'Convert credits' }).click();
  await page.getByRole('table', { name: 'Ledger' }).getByText('₹199.50').first().waitFor();
  await page.getByRole('button', { name: 'Convert to cash' }).waitFor({ state: 'detached' });
});

test('earnings tell when each is to be had', async () => {
  const page = await openAs(await partner(), '/earnings');
  const earnings = page.getByRole('table', { name: 'Earnings' });
  await earnings.getByText('from 1 Jan 2100').waitFor();
  expect(await earnings.getByRole('row').count()).toBe(4);
});

test('a payout shows its net amount before it is confirmed, and a statement can be downloaded', async () => {
  const tenant = await partner();
  await createCertificate(tenant.organizationId, uuidv7());
  const page = await openAs(tenant, '/payouts');
  await page.getByRole('button', { name: 'Request payout' }).click();
  const form = page.getByRole('dialog');
  const amount = form.getByLabel('Amount, before tax');
  await amount.fill('999.99');
  await form.getByText('The minimum payout is ₹1,000.00.').waitFor();
  await amount.fill('1,234.56');
  await form.getByText('₹24.69').waitFor();
  await form.getByText('₹1,209.87').waitFor();
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText('You can’t cancel it here.').waitFor();
  await lookAt(page, 'partner-payout-form');
  await form.getByRole('button', { name: 'Confirm request' }).click();
  const payouts = page.getByRole('table', { name: 'Payouts' });
  await payouts.getByText('₹1,209.87').waitFor();
  // Less than the minimum is left.
  await page.getByText('You can request a payout once ₹1,000.00 or more is 30 days old.').waitFor();
  expect(await page.getByRole('button', { name: 'Request payout' }).count()).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the PDF of quarter 1 of 2026-27' }).click(),
  ]);
  expect(await readFile(await download.path(), 'latin1')).toMatch(/^%PDF-/);
});

test('enough referrals make an affiliate, who says who they are and learns why not', async () => {
  const tenant = await createTenant();
  await refer(tenant.organizationId, UPGRADE_THRESHOLD);
  const page = await openAs(tenant);
  await page.getByRole('button', { name: 'Become an affiliate' }).click();
  await page.getByRole('link', { name: 'Submit details' }).click();
  await page.getByRole('button', { name: 'Submit details' }).click();
  const form = page.getByRole('dialog');
  const body = kycBody();
  await form.getByRole('combobox', { name: 'Entity type' }).click();
  await page.getByRole('option', { name: 'Individual', exact: true }).click();
  await form.getByLabel('Full name').fill(body.full_name);
  await form.getByRole('textbox', { name: 'PAN', exact: true }).fill('WRONG');
  await form.getByLabel('Name on the PAN card').fill(body.pan_name);
  await form.getByLabel('Account holder').fill(body.bank_account_holder_name);
  await form.getByLabel('Account number').fill(body.bank_account_number);
  await form.getByLabel('IFSC').fill(body.bank_ifsc);
  await form.getByRole('button', { name: 'Submit for review' }).click();
  await form.getByText(/must be a PAN/).waitFor();
  await form.getByRole('textbox', { name: 'PAN', exact: true }).fill(body.pan_number);
  await form.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Your identity is being reviewed').waitFor();
  const admin = { api: api(), tenant, role: 'platform_admin' } as const;
  const [submission] = await sql('SELECT id FROM kyc_submissions WHERE organization_id = $1', [
    tenant.organizationId,
  ]);
  const ids = [encodeNodeId('KycSubmission', submission!.id as string)];
  await mutate(
    admin,
    'kycReject',
    { input: { ids, reason: 'The name is another.' } },
    '__typename',
  );
  await page.reload();
  await page.getByText('The name is another.').waitFor();
  await lookAt(page, 'partner-identity');
});

test('an agency registers a deal, proves it, and gives another up', async () => {
  const tenant = await createTenant();
  const { organizationId } = tenant;
  await createAgency(organizationId);
  await createDeal(organizationId, { domain: 'acme-of-a-test.com' });
  const page = await openAs(tenant, '/deals');
  const registered = page.getByRole('region', { name: 'Registered' });
  await registered.getByText(/^Proof due .*, in 14 days$/).waitFor();
  await page.getByRole('button', { name: 'Register deal' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Company').fill('Tailspin Toys');
  await form.getByLabel('Domain').fill(`https://www.x${uuidv7()}.com/about`);
  await form.getByLabel('Contact’s email').fill('buying@tailspin.com');
  await form.getByLabel('Estimated value').fill('90,000');
  await form.getByRole('button', { name: 'Register deal' }).click();
  await registered.getByRole('button', { name: 'Actions for Tailspin Toys' }).click();
  await page.getByRole('menuitem', { name: 'Submit proof' }).click();
  await form.getByLabel('Document URL').fill('https://docs.example.com/proposal.pdf');
  await form.getByRole('button', { name: 'Submit proof' }).click();
  const proven = page.getByRole('region', { name: 'Proof submitted' });
  await proven.getByText('₹90,000.00').waitFor();
  await registered.getByRole('button', { name: 'Actions for Acme' }).click();
  await page.getByRole('menuitem', { name: 'Withdraw deal' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw deal' }).click();
  await page.getByRole('region', { name: 'Ended' }).getByRole('link').waitFor();
  await lookAt(page, 'partner-deals');
  await proven.getByRole('link', { name: 'Tailspin Toys' }).click();
  await page.getByRole('link', { name: 'https://docs.example.com/proposal.pdf' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/partner\/deals$/);
});

test('a card is dragged to the column of its next state, and elsewhere is not allowed', async () => {
  const tenant = await createTenant();
  await createAgency(tenant.organizationId);
  await createDeal(tenant.organizationId);
  const page = await openAs(tenant, '/deals');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = column('Registered').getByRole('article');
  const dialog = page.getByRole('dialog');
  await card.hover();
  await page.mouse.down();
  await column('Won').hover();
  await column('Won').getByText('Not allowed').waitFor();
  await column('Won').hover();
  await page.mouse.up();
  await page.getByText('Acme stays in “Registered”.').waitFor();
  expect(await dialog.count()).toBe(0);

  await card.hover();
  await page.mouse.down();
  await column('Proof submitted').hover();
  await column('Proof submitted').getByText('Submit proof').waitFor();
  await column('Proof submitted').hover();
  await page.mouse.up();
  await dialog.getByLabel('Document URL').fill('https://docs.example.com/proposal.pdf');
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await page.getByRole('alert').getByText('Proof submitted.').waitFor();
  await column('Proof submitted').getByRole('link').focus();
  await page.keyboard.press('ArrowRight');
  await dialog.getByRole('button', { name: 'Withdraw deal' }).click();
  await column('Ended').getByRole('link').waitFor();
});

test('a member sees all of it, and is offered no change', async () => {
  const tenant = await partner();
  const page = await openAs(tenant, '/payouts', ['member']);
  await page.getByRole('table', { name: 'Payouts' }).waitFor();
  expect(await page.getByRole('button', { name: 'Request payout' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Reviews' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByRole('table', { name: 'Ledger' }).waitFor();
  expect(await page.getByRole('button', { name: 'Apply to invoice' }).count()).toBe(0);
});
