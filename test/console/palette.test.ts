// The palette, which finds views, actions, people and other things.

import { expect, test } from 'vitest';
import { createCampaign, createContact } from '../harness/campaign.ts';
import { createSibling, createTenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { focused, heading, useNavigation } from './navigation-scene.ts';

const { openAs } = useNavigation();

test('the palette finds views, actions and things by their names', async () => {
  const tenant = await createTenant();
  await createCampaign(tenant.workspaceId, { name: 'Winter sale' });
  const page = await openAs(tenant, '/keys');
  await heading(page, 'SDK keys').waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox', { name: 'Search' }).fill('template');
  await palette.getByRole('button', { name: 'Templates' }).waitFor();
  await lookAt(page, 'palette');
  await palette.getByRole('textbox', { name: 'Search' }).fill('winter');
  await palette.locator('[data-selected]').filter({ hasText: 'Winter sale' }).waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'Winter sale').waitFor();
});

test('the palette finds sections by other words, and selects the first result', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha-7' });
  const page = await openAs(tenant, '/live', 'owner', 'platform_admin');
  await heading(page, 'Live').waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const search = palette.getByRole('textbox', { name: 'Search' });
  for (const [typed, first, ...others] of FOUND) {
    await search.fill(typed);
    const selected = palette.locator('[data-action][data-selected]');
    await expect
      .poll(() => selected.allInnerTexts(), { message: typed })
      .toEqual([expect.stringMatching(first)]);
    for (const name of others) await palette.getByRole('button', { name }).first().waitFor();
  }
  await search.fill('asha-7');
  await palette
    .locator('[data-selected]')
    .filter({ hasText: /^asha-7/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'asha-7').waitFor();
  await expect.poll(() => focused(page)).toBe('H1: asha-7');
  await page.keyboard.press('Control+k');
  await search.fill('new workspace');
  await palette.locator('[data-selected]').filter({ hasText: 'New workspace' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New workspace' }).getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('H1: asha-7');
});

const FOUND: readonly (readonly [string, RegExp, ...string[]])[] = [
  ['workspace', /^Workspace/, 'New workspace'],
  ['organization', /^Organization/],
  ['replace key', /^Keys/],
  ['rotate', /^Keys\s+Matches “rotate”$/],
  ['refund', /^Refund a payment/, 'Refunds'],
  ['refunds', /^Refunds\s+Payments$/],
  ['payout', /^Review payouts/],
  ['kyc', /^Review identities \(KYC\)\s+Partner$/, 'Identity Partner – matches “KYC”'],
  ['review', /^Review identities/, 'Review deals'],
  ['rej', /^Rejected events/, 'Review identities'],
  ['resume', /^Journeys/],
  ['analyst', /^Analyst logins/],
  ['retention', /^Retention/, 'Privacy'],
  ['funnel', /^Funnel\s+Insights$/],
  ['replay', /^Replays/, 'Rejected events'],
  ['resend', /^Deliveries/],
  ['erase', /^People/, 'Privacy'],
  ['forget', /^People/, 'Privacy'],
  ['new login', /^New analyst login/],
  ['audit', /^Audit log/],
  ['in-app', /^Campaigns/, 'New campaign'],
  ['popup', /^Campaigns/, 'New campaign'],
  ['push', /^Push results/, 'New campaign'],
  ['create key', /^New SDK key\s+Matches “create”$/],
  ['dark mode', /^Use the dark theme/],
  ['logout', /^Sign out/],
];

test('the palette finds people by ID or name, or opens the search for them', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha-7', traits: { name: 'Asha Rao' } });
  await createContact(tenant.workspaceId, { userId: 'asha-70' });
  const page = await openAs(tenant, '/live');
  await heading(page, 'Live').waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const search = palette.getByRole('textbox', { name: 'Search' });
  const shown = () => palette.locator('[data-action]').allInnerTexts();
  await search.fill('asha-7');
  await expect.poll(shown).toEqual(['asha-7\nAsha Rao', 'asha-70', ...searchesFor('asha-7')]);
  await expect
    .poll(() => palette.locator('[data-selected]').allInnerTexts())
    .toEqual(['asha-7\nAsha Rao']);
  await search.fill('rao');
  await expect.poll(shown).toEqual(['asha-7\nAsha Rao', ...searchesFor('rao')]);
  await search.fill('zola');
  expect(await shown()).toEqual(searchesFor('zola'));
  await expect.poll(shown).toEqual(searchesFor('zola'));
  await page.keyboard.press('Enter');
  await heading(page, 'People').waitFor();
  expect(await page.getByRole('textbox', { name: /^Search by/ }).inputValue()).toBe('zola');
  await page.keyboard.press('Control+k');
  await search.fill('Seat Chosen');
  await palette.getByRole('button', { name: 'Search live events for “Seat Chosen”' }).click();
  await heading(page, 'Live').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Seat Chosen');
});

const searchesFor = (typed: string) => [
  `Search people for “${typed}”`,
  `Search live events for “${typed}”`,
];

test('the palette switches to another workspace, also while none is chosen', async () => {
  const tenant = await createTenant();
  const other = await createSibling(tenant);
  const page = await openAs(tenant, '/keys');
  await heading(page, 'Choose a workspace').waitFor();
  const palette = page.getByRole('dialog');
  const choices = palette.getByRole('button', { name: /^Switch to/ });
  await page.keyboard.press('Control+k');
  await expect.poll(() => choices.count()).toBe(2);
  await palette.getByRole('textbox', { name: 'Search' }).fill(other.workspaceId);
  await palette.locator('[data-selected]').filter({ hasText: other.workspaceId }).waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'SDK keys').waitFor();
  await expect.poll(() => focused(page)).toBe('H1: SDK keys');
  await page.keyboard.press('Control+k');
  await palette.getByRole('textbox', { name: 'Search' }).fill('switch');
  await expect.poll(() => choices.count()).toBe(1);
  await page.keyboard.press('Enter');
  const name = `Workspace: Workspace ${tenant.workspaceId}`;
  await page.getByRole('button', { name }).waitFor();
});

test('without a chosen workspace, the palette leads to the choice and on from there', async () => {
  const tenant = await createTenant();
  await createSibling(tenant);
  const page = await openAs(tenant, '/');
  await heading(page, 'Choose a workspace').waitFor();
  const palette = page.getByRole('dialog');
  await page.keyboard.press('Control+k');
  await palette.getByRole('textbox', { name: 'Search' }).fill('analyst');
  await palette.getByRole('button', { name: 'New analyst login' }).waitFor();
  await palette
    .locator('[data-selected]')
    .filter({ hasText: /^Analyst logins/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'Choose a workspace to open Analyst logins').waitFor();
  await expect.poll(() => focused(page)).toBe('H1: Choose a workspace to open Analyst logins');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(/^BUTTON: Workspace/);
  await page.getByRole('main').getByRole('button', { name: tenant.workspaceId }).click();
  await heading(page, 'Settings').waitFor();
  expect(await page.title()).toBe('Analyst logins · Settings · Engagement');
});

test('a member is not offered what only owners and admins can open', async () => {
  const page = await openAs(await createTenant(), '/keys', 'member');
  await heading(page, 'SDK keys').waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  const search = palette.getByRole('textbox', { name: 'Search' });
  await search.fill('audit');
  await expect
    .poll(() => palette.locator('[data-action]').allInnerTexts())
    .toEqual(searchesFor('audit'));
  await search.fill('workspace');
  await palette.getByRole('button', { name: 'Organization' }).waitFor();
  expect(await palette.getByRole('button', { name: 'New workspace' }).count()).toBe(0);
});
