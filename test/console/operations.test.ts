// The operations of platform admins. They have their own database, since cells, terms and failed jobs belong to
// no tenant.

import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOB_QUEUE_SCHEMA } from '../../schema/environment/job-queue.ts';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { createDeadLetter, createRefusedRow } from '../graphql-api/harness/operations.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventually } from '../harness/eventually.ts';
import { useGateway } from '../harness/gateway.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const gateway = useGateway();
const open = useConsole(useChromium());
let urls: Awaited<ReturnType<typeof ownDatabase>>;
let ingest: IngestProcess;
let api: ApiProcess;
let admins: Tenant;

beforeAll(async () => {
  urls = await ownDatabase();
  admins = await newTenant();
  ingest = await startIngest({
    threads: 1,
    env: { DATABASE_SYSTEM_URL: urls.system, INTERNAL_TOKEN },
  });
  api = await startApi({
    env: {
      ...gateway().env,
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      INTERNAL_TOKEN,
      INGEST_URL: ingest.url,
      RATE_POINTS_PER_SECOND: '1000',
    },
  });
});
afterAll(async () => {
  await Promise.all([api?.stop(), ingest?.stop()]);
});

const query = (text: string, values: unknown[] = []) => sql(text, values, urls.owner);
const newTenant = () => createTenant({ databaseUrl: urls.owner });

async function openAt(section = ''): Promise<Page> {
  const token = await tokenFor(admins.organizationId, { roles: ['platform_admin'] });
  const page = await open({ url: api.url, token, path: `/operations${section}` });
  await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
  return page;
}

async function named(name: string): Promise<Tenant> {
  const tenant = await newTenant();
  await query('UPDATE organizations SET name = $1 WHERE id = $2', [name, tenant.organizationId]);
  return tenant;
}

async function chooseOrganization(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Organization' }).fill(name);
  await page.getByRole('option', { name }).click();
}

/** In the confirmation, whose title begins with the name of its button. */
const answerYes = (page: Page, name: string) =>
  page.getByRole('dialog', { name }).getByRole('button', { name, exact: true }).click();

test('an owner has no operations', async () => {
  const token = await tokenFor(admins.organizationId);
  const page = await open({ url: api.url, token, path: '/operations' });
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
});

test('a failed job is read and retried, and one that no longer exists is refused', async () => {
  const databaseUrl = urls.owner;
  const id = await createDeadLetter({ databaseUrl, data: { dueAt: '2026-11-01T00:00:00Z' } });
  const orphan = await createDeadLetter({ databaseUrl, job: 'of-an-old-release' });
  const page = await openAt();
  const row = page.getByRole('row').filter({ hasText: 'forget-old-records' });
  await row.waitFor();
  await lookAt(page, 'operations-dead-letters');
  await page.getByRole('button', { name: 'of-an-old-release' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('it broke').waitFor();
  await lookAt(page, 'operations-dead-letter');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('This release no longer has the job').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('1 job was queued again.').waitFor();
  await row.waitFor({ state: 'detached' });
  const left = await query(`SELECT id FROM ${JOB_QUEUE_SCHEMA}.job WHERE id IN ($1, $2)`, [
    id,
    orphan,
  ]);
  expect(left).toEqual([{ id: orphan }]);
});

test('a rejected row is sent again, and another discarded once that is confirmed', async () => {
  const tenant = await newTenant();
  const [retried, discarded] = [
    await createRefusedRow(tenant, { card_id: 'retried' }, urls.owner),
    await createRefusedRow(tenant, { card_id: 'discarded' }, urls.owner),
  ];
  await query("UPDATE ingest_outbox SET failure = '400: to discard' WHERE id = $1", [discarded]);
  const page = await openAt('/rows');
  const row = page.getByRole('row').filter({ hasText: '400: it is wrong' });
  await row.waitFor();
  await lookAt(page, 'operations-rows');
  await row.getByRole('button', { name: 'activity_cards_raw' }).click();
  await page.getByRole('dialog').getByText('"retried"').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Queued.').waitFor();
  await eventually(async () => {
    const [found] = await query('SELECT attempts FROM ingest_outbox WHERE id = $1', [retried]);
    expect(found).toEqual({ attempts: 2 });
  });
  const other = page.getByRole('row').filter({ hasText: '400: to discard' });
  await other.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('This can’t be undone.').waitFor();
  await answerYes(page, 'Discard');
  await other.waitFor({ state: 'detached' });
  expect(await query('SELECT FROM ingest_outbox WHERE id = $1', [discarded])).toEqual([]);
});

test('a cell is created, limited, disabled and enabled, and its lag shown', async () => {
  const page = await openAt('/cells');
  const first = page.getByRole('row').filter({ hasText: 'default' });
  await first.getByText(/Up to date|late/).waitFor();
  await page.getByRole('button', { name: 'New cell' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('eu-west');
  await dialog.getByText('CLICKHOUSE_URL_EU_WEST').waitFor();
  await dialog.getByLabel('Region').fill('Europe');
  await dialog.getByRole('button', { name: 'Create cell' }).click();
  const row = page.getByRole('row').filter({ hasText: 'eu-west' });
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Set default limit' }).click();
  await dialog.getByLabel('Events per minute').fill('60000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('60,000').waitFor();
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await dialog.getByText('ingest responds to its 0 workspaces with 502').waitFor();
  await dialog.getByRole('button', { name: 'Disable cell' }).click();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await lookAt(page, 'operations-cells');
  await row.getByRole('button', { name: 'Actions for eu-west' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await row.getByText('Enabled', { exact: true }).waitFor();
});

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
