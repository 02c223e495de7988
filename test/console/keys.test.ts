import { expect, test } from 'vitest';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

async function openKeys(roles: ('owner' | 'member')[] = ['owner']) {
  const tenant = await createTenant({
    minuteCap: 6_000,
    origins: ['https://shop.example'],
    eventsPerMinute: 250_000,
  });
  const token = await tokenFor(tenant.organizationId, { roles });
  const page = await open({ url: api().url, token, path: '/keys' });
  await page.getByRole('heading', { name: 'SDK keys' }).waitFor();
  return { page, tenant };
}

test('lists the keys with their caps and origins, for everybody', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByText('6,000 / minute').waitFor();
  await row.getByText('https://shop.example').waitFor();
  await row.getByText('Active').waitFor();
  await page.getByText('may send 250,000 events a minute').waitFor();
  await lookAt(page, 'keys');
});

test('a new key is made, and comes with a command that sends with it', async () => {
  const { page, tenant } = await openKeys();
  // As a new workspace has it.
  await sql('DELETE FROM sdk_keys WHERE id = $1', [tenant.keyId]);
  await page.reload();
  await page.getByText('No key yet').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Web shop');
  await form.getByLabel('Events an hour').fill('1000');
  await lookAt(page, 'keys-new');
  await form.getByRole('button', { name: 'Create the key' }).click();
  const command = page.getByRole('region', { name: 'curl command' });
  const writeKey = /"writeKey":"([^"]+)"/.exec((await command.textContent()) ?? '')?.[1];
  expect(writeKey).toBeDefined();
  await lookAt(page, 'keys-try');
  await page.keyboard.press('Escape');
  const row = page.getByRole('row').filter({ hasText: writeKey! });
  await row.getByText('1,000 / hour').waitFor();
  await row.getByText('Not yet').waitFor();
});

test('a cap that the API refuses is told beside its field', async () => {
  const { page } = await openKeys();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Too much');
  await form.getByLabel('Browser origins').fill('not an origin');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Create the key' }).click();
  await form
    .getByText(/origin/i)
    .nth(1)
    .waitFor();
  await form.getByRole('button', { name: 'Create the key' }).waitFor();
});

test('a key is rotated, and the old one revoked, once however often somebody clicks', async () => {
  const { page, tenant } = await openKeys();
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the key' }).dblclick();
  await row.getByText('Replaced').waitFor();
  await page.getByRole('row').filter({ hasText: 'Active' }).waitFor();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).dblclick();
  await row.getByText('Revoked').waitFor();
  expect(await page.getByText(/was (rotated|revoked)|not done/).allInnerTexts()).toHaveLength(2);
  await lookAt(page, 'keys-revoked');
});

test('a member sees them, and is offered no change', async () => {
  const { page, tenant } = await openKeys(['member']);
  const row = page.getByRole('row').filter({ hasText: tenant.writeKey });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Try it' }).waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
});
