import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { expect, inject, test } from 'vitest';
import type { Role } from '../../graphql-api/platform/viewer.ts';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { eventRow, insertRows } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { send } from '../harness/http.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

async function openAt(
  tenant: Pick<Tenant, 'organizationId'>,
  section = '',
  roles: Role[] = ['owner'],
): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles });
  const page = await open({ url: api().url, token, path: `/settings${section}` });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  return page;
}

test('an owner renames the workspace and sets its frequency caps', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant);
  await page.getByRole('textbox', { name: 'Name' }).fill('Spice shop');
  await page.getByLabel('Impressions per person and day').fill('5');
  await page.getByLabel('Seconds between two impressions').fill('7200');
  await page.getByText('The minimum for one person: 2 hours.').waitFor();
  await lookAt(page, 'settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The workspace was changed').waitFor();
  expect(
    await sql(
      'SELECT name, in_app_daily_max, in_app_interval_seconds_min FROM workspaces WHERE id = $1',
      [tenant.workspaceId],
    ),
  ).toEqual([{ name: 'Spice shop', in_app_daily_max: 5, in_app_interval_seconds_min: 7_200 }]);

  const member = await openAt(tenant, '', ['member']);
  await member.getByText('Spice shop').last().waitFor();
  await member.getByText('2 hours').waitFor();
  expect(await member.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await member.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
});

test('a property is created and renamed, and its ID copied', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/properties');
  await page.getByRole('button', { name: 'Copy property ID of Web' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tenant.propertyId);
  await page.getByRole('button', { name: 'New property' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Android');
  await dialog.getByRole('button', { name: 'Create property' }).click();
  await page.getByRole('button', { name: 'Rename Android' }).click();
  await dialog.getByLabel('Name').fill('Android app');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Android app/ }).waitFor();
  await lookAt(page, 'settings-properties');
});

test('usage has the caps and what is used of them', async () => {
  const tenant = await createTenant({ minuteCap: 6_000, eventsPerMinute: 250_000 });
  const page = await openAt(tenant, '/usage');
  await page.getByText('At most 250,000 events per minute').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'test' });
  await row.getByText('0 of 6,000').waitFor();
  await row.getByText('No limit').waitFor();
  await lookAt(page, 'settings-usage');
});

test('an owner changes the approval deadlines', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/approvals');
  await page.getByLabel('Messaging app').fill('48');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The deadlines were changed').waitFor();
  await lookAt(page, 'settings-approvals');
  const member = await openAt(tenant, '/approvals', ['member']);
  await member.getByText('48 hours').waitFor();
});

test('an analyst login is made, its password shown once, and revoked', async () => {
  const page = await openAt(await createTenant(), '/logins');
  const logins = page.getByRole('region', { name: 'Analyst logins' });
  await logins.getByText('No logins yet').waitFor();
  await logins.getByRole('button', { name: 'New login' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Metabase');
  await dialog.getByRole('button', { name: 'Create login' }).click();
  const userName = await dialog.getByRole('textbox', { name: 'User' }).inputValue();
  const password = await dialog.getByRole('textbox', { name: 'Password' }).inputValue();
  await page.getByRole('dialog', { name: '“Metabase” can connect' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Copy all');
  expect(await page.evaluate('document.activeElement.disabled')).toBe(false);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const question = page.getByRole('dialog', { name: 'Close without copying?' });
  await question.getByRole('button', { name: 'Go back' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Copy example query' }).click();
  const query = await page.evaluate<string>('navigator.clipboard.readText()');
  const copyAll = dialog.getByRole('button', { name: 'Copy all', disabled: false });
  await copyAll.click();
  await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  const handover = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(handover.split('\n').map(line => line.split(': ')[0])).toEqual([
    'Host',
    'Port',
    'Protocol',
    'Database',
    'User',
    'Password',
  ]);
  expect(handover).toContain(`User: ${userName}\nPassword: ${password}`);
  // Without its tooltip.
  await dialog.getByRole('button', { name: 'Copy example query' }).waitFor();
  await lookAt(page, 'logins-password');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = logins.getByRole('row').filter({ hasText: userName });
  await row.getByText('Active').waitFor();
  const answer = await send(`${inject('clickhouseUrl')}/`, {
    body: query,
    headers: { 'x-clickhouse-user': userName, 'x-clickhouse-key': password },
  });
  // No events yet.
  expect(answer).toMatchObject({ status: 200, text: '' });
  expect(await page.content()).not.toContain(password);
  await lookAt(page, 'logins');

  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke login' }).dblclick();
  await row.getByText('Revoked', { exact: true }).waitFor();
});

test('a member sees the analyst logins, and is offered none', async () => {
  const page = await openAt(await createTenant(), '/logins', ['member']);
  await page.getByRole('region', { name: 'Analyst logins' }).getByText('No logins yet').waitFor();
  expect(await page.getByRole('button', { name: 'New login' }).count()).toBe(0);
});

test('a retention rule shows what it would delete before it is created', async () => {
  const tenant = await createTenant();
  const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
  await insertRows('events_raw', [eventRow(tenant, { timestamp: old })]);
  const page = await openAt(tenant, '/privacy');
  await page.getByText('No retention rules yet').waitFor();
  await page.getByText('No erasures yet').waitFor();
  await page
    .getByText(/A check deletes them about 45 minutes after .* then once a day\.$/)
    .waitFor();
  await page.getByRole('button', { name: 'New rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No rows are old enough').waitFor();
  await dialog.getByLabel('Days to keep').fill('30');
  await dialog.getByText('Now, 1 row would be deleted').waitFor();
  await lookAt(page, 'settings-retention');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  const row = page.getByRole('row').filter({ hasText: 'kept for 30 days' });
  await row.waitFor();
  await lookAt(page, 'settings-privacy');
  await row.getByRole('button', { name: 'Actions for events' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove rule' }).click();
  await page.getByText('No retention rules yet').waitFor();
});

test('the audit log says who changed what, and is filtered by the object', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/organization');
  await page.getByRole('textbox', { name: 'Name' }).fill('Spices Ltd');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The organization was renamed').waitFor();
  await page.getByRole('link', { name: 'Properties' }).click();
  await page.getByRole('button', { name: 'Rename Web' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Web shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The property was renamed').waitFor();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Property changed' });
  await row.getByText('Web → Web shop').waitFor();
  await row.getByText('user-of-a-test').waitFor();
  await page.getByRole('row').filter({ hasText: 'Organization changed' }).waitFor();
  await lookAt(page, 'settings-audit');
  await page.getByRole('combobox', { name: 'Object' }).click();
  await page.getByRole('option', { name: 'Organization' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Organization changed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('cell', { name: 'Spices Ltd' }).waitFor();
  await dialog.getByText('Request ID').waitFor();
  await lookAt(page, 'settings-audit-entry');
});

test('an organization without a workspace creates one, which then is shown', async () => {
  await createTenant();
  const organizationId = uuidv7();
  await sql('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organizationId, 'Agency']);
  const page = await openAt({ organizationId });
  await page.getByText('No workspaces yet').waitFor();
  expect(await page.getByRole('link', { name: 'Properties' }).count()).toBe(0);
  await lookAt(page, 'settings-no-workspace');
  await page.getByRole('button', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('First shop');
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Properties' }).waitFor();
  await page.getByRole('link', { name: 'Organization' }).click();
  await page.getByRole('row').filter({ hasText: 'First shop' }).getByText('Current').waitFor();
});
