import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

async function openKeys(roles: ('owner' | 'member')[] = ['owner'], path = '/keys') {
  const tenant = await createTenant({
    minuteCap: 6_000,
    origins: ['https://shop.example'],
    eventsPerMinute: 250_000,
  });
  const token = await tokenFor(tenant.organizationId, { roles });
  const page = await open({ url: api().url, token, path });
  await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
  return { page, tenant };
}

test('lists the keys with their caps and origins, for everybody', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByText('6,000 / minute').waitFor();
  await row.getByText('https://shop.example').waitFor();
  await row.getByText('Our SDKs and plain HTTP').waitFor();
  await row.getByText('Active').waitFor();
  await page.getByText('can send 250,000 events per minute').waitFor();
  await lookAt(page, 'keys');
  await row.getByRole('button', { name: `Copy key ${tenant.writeKey}` }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tenant.writeKey);
});

test('a new key is made for a client, comes with its snippet, and is changed later', async () => {
  const { page, tenant } = await openKeys();
  // Like a new workspace.
  await sql('DELETE FROM sdk_keys WHERE id = $1', [tenant.keyId]);
  await page.reload();
  await page.getByText('No keys yet').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Web shop');
  await dialog.getByLabel('Events per hour').fill('1000');
  const client = dialog.getByRole('combobox', { name: 'Client' });
  expect(await client.inputValue()).toBe('curl or another HTTP client');
  await client.focus();
  await page.keyboard.type('go');
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Segment, Go']);
  await page.keyboard.press('Enter');
  expect(await client.inputValue()).toBe('Segment, Go');
  await chooseClient(page, 'Segment, Node');
  await dialog.getByText('Sample code for it comes next.').waitFor();
  await lookAt(page, 'keys-new');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const snippet = dialog.getByRole('region', { name: 'snippet' });
  await snippet.getByText(`host: '${api().url}'`).waitFor();
  const code = (await snippet.textContent()) ?? '';
  const writeKey = /writeKey: '([^']+)'/.exec(code)?.[1];
  expect(writeKey).toMatch(/^wk_/);
  await dialog.getByText('npm install @segment/analytics-node').waitFor();
  await dialog.getByRole('button', { name: 'Copy snippet' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  await chooseClient(page, 'curl or another HTTP client');
  await snippet.getByText(`"writeKey": "${writeKey}"`).waitFor();
  await dialog.getByText('This client works with every key.').waitFor();
  await page.keyboard.press('Escape');

  const row = page.getByRole('row').filter({ hasText: writeKey! });
  await row.getByText('1,000 / hour').waitFor();
  await row.getByText('Never').waitFor();
  await row.getByText('Also other vendors’ clients').waitFor();
  await openAction(page, row, 'Edit');
  await dialog.getByRole('radio', { name: 'Our SDKs and plain HTTP' }).check();
  await lookAt(page, 'keys-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Our SDKs and plain HTTP').waitFor();
  await openAction(page, row, 'Test event code');
  expect(await client.inputValue()).toBe('curl or another HTTP client');
  await chooseClient(page, 'Segment, Go');
  await dialog.getByText('This key doesn’t accept this client').waitFor();
  await lookAt(page, 'keys-try');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New key' }).click();
  expect(await client.inputValue()).toBe('Segment, Go');
});

async function chooseClient(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Client' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

async function openAction(page: Page, row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a chosen client alone is not text that closing would lose', async () => {
  const { page } = await openKeys();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  const client = dialog.getByRole('combobox', { name: 'Client' });
  await client.click();
  await page.keyboard.type('script');
  await page.keyboard.press('Enter');
  expect(await client.inputValue()).toBe('Script tag');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByText('Discard what you typed?').count()).toBe(0);
});

test('a cap that the API refuses is reported next to its field', async () => {
  const { page } = await openKeys();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Too much');
  await form.getByLabel('Events per minute').fill('600');
  await form.getByLabel('Events per hour').fill('100');
  await form.getByText('The limit per hour is lower than the limit per minute').waitFor();
  await form.getByLabel('Allowed origins').fill('not an origin');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form
    .getByText(/origin/i)
    .nth(1)
    .waitFor();
  await form.getByRole('button', { name: 'Create key' }).waitFor();
});

test('a key is rotated and the old one revoked once, even after several clicks', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await sql(`UPDATE sdk_keys SET last_used_at = now() - interval '2 hours' WHERE id = $1`, [
    tenant.keyId,
  ]);
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByText('Old key last used: 2 hours ago').waitFor();
  await page
    .getByRole('dialog')
    .getByText(/The old key works until .+\d:\d\d/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).dblclick();
  await row.getByText('Replaced', { exact: true }).waitFor();
  await row.getByText(/^works until .+\d:\d\d/).waitFor();
  await page.getByRole('row').filter({ hasText: 'Active' }).waitFor();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).dblclick();
  await row.getByText('Revoked').waitFor();
  expect(
    await page.getByText(/was (rotated|revoked)|Couldn’t do that/).allInnerTexts(),
  ).toHaveLength(2);
  await lookAt(page, 'keys-revoked');
});

test('a rotation names the key, warns of an immediate end, and leads to the new key', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).press('Enter');
  await page.getByRole('menuitem', { name: 'Rotate' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(tenant.writeKey).waitFor();
  const overlap = dialog.getByRole('combobox', { name: 'Old key expires' });
  await expect
    .poll(() => page.evaluate("document.activeElement.getAttribute('role')"))
    .toBe('combobox');
  await lookAt(page, 'keys-rotate');
  await overlap.click();
  await page.getByRole('option', { name: 'Immediately' }).click();
  await dialog.getByText('Apps with the old key stop working immediately').waitFor();
  await dialog.getByText('works until').waitFor({ state: 'detached' });
  await lookAt(page, 'keys-rotate-now');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  await row.getByText('Expired').waitFor();
  const successor = page.getByRole('row').filter({ hasText: 'Active' });
  await successor.getByText(`replaces ${tenant.writeKey.slice(0, 9)}…`).waitFor();
  const writeKey = await successor.getByRole('code').textContent();
  await row.getByText(`replaced by ${writeKey!.slice(0, 9)}…`).waitFor();
  await expect.poll(() => focused(page)).toBe(`Copy key ${writeKey}`);
});

test('a key that was used meanwhile no longer shows “Never”', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByText('Never').waitFor();
  await sql('UPDATE sdk_keys SET last_used_at = now() WHERE id = $1', [tenant.keyId]);
  await row.getByText('Never').waitFor({ state: 'detached' });
});

test('after a dialog, focus is on the button that opened it, else on the heading', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  const menu = row.getByRole('button', { name: /^Actions for/ });
  await menu.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/test event/i);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('region', { name: 'snippet' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toMatch(/^Actions for/);
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await row.getByText('Revoked').waitFor();
  await expect.poll(() => focused(page)).toBe('SDK keys');
});

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
}

test('a member sees them, and is offered no change', async () => {
  const { page, tenant } = await openKeys(['member'], '/keys?new');
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Test event code' }).waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
  expect(await page.getByRole('dialog').count()).toBe(0);
});
