// What all views share: who begins where, titles and focus, unsaved changes, shortcuts.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { createAgency, createDeal, createKycSubmission } from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createCampaign, createContact } from '../harness/campaign.ts';
import { createSibling, createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

type Role = 'owner' | 'member' | 'platform_admin';

async function openAs({ organizationId }: Tenant, path: string, ...roles: Role[]) {
  const token = await tokenFor(organizationId, { roles: roles.length > 0 ? roles : ['owner'] });
  return open({ url: api().url, token, path });
}

/** An organization that has just signed up. */
async function withoutWorkspace(): Promise<Tenant> {
  const tenant = await createTenant();
  await sql('DELETE FROM sdk_keys WHERE workspace_id = $1', [tenant.workspaceId]);
  await sql('DELETE FROM properties WHERE workspace_id = $1', [tenant.workspaceId]);
  await sql('DELETE FROM workspaces WHERE id = $1', [tenant.workspaceId]);
  return tenant;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const focused = (page: Page) =>
  page.evaluate('document.activeElement.tagName + ": " + document.activeElement.textContent');

test('an owner without a workspace creates one, and gets the checklist', async () => {
  const page = await openAs(await withoutWorkspace(), '/');
  await heading(page, 'Create a workspace').waitFor();
  await views(page)
    .getByText(/appear here once you have a workspace/)
    .waitFor();
  expect(await views(page).getByRole('link').allInnerTexts()).toEqual([
    'Home',
    'Partner',
    'Settings',
  ]);
  await lookAt(page, 'no-workspace');
  await page.getByLabel('Name').fill('Corner shop');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await heading(page, 'Home').waitFor();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await views(page).getByRole('link', { name: 'Campaigns' }).waitFor();
});

test('an owner creates a second workspace from the header, which then is shown', async () => {
  const tenant = await createTenant();
  const page = await openAs(tenant, '/live');
  const switcher = page.getByRole('button', { name: /^Workspace:/ });
  await switcher.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe(`BUTTON: Workspace ${tenant.workspaceId}`);
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workspace' });
  await dialog.getByLabel('Name').waitFor();
  await heading(page, 'Live').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe(`BUTTON: Workspace ${tenant.workspaceId}`);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await dialog.getByLabel('Name').fill('Second shop');
  await Promise.all([
    // The notice closes by itself, on a busy machine perhaps before Home is shown.
    page.getByText('The workspace was created.').waitFor(),
    dialog.getByRole('button', { name: 'Create workspace' }).click(),
  ]);
  await heading(page, 'Home').waitFor();
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await expect.poll(() => focused(page)).toBe('H1: Home');
  await switcher.click();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Second shop', `Workspace ${tenant.workspaceId}`, 'New workspace']);
  await page.keyboard.press('Escape');
  await views(page).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Organization' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Second shop' });
  await row.getByText('Current').waitFor();
  await page.getByRole('button', { name: `Open Workspace ${tenant.workspaceId}` }).waitFor();
});

test('a session whose token is for another workspace than the kept one begins anew', async () => {
  const tenant = await createTenant();
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const page = await open({ url: api().url, token, path: '/keys', mayFail: /403/ });
  await heading(page, 'Keys').waitFor();
  const elsewhere = (await createTenant()).workspaceId;
  await page.evaluate(`sessionStorage.setItem('console-session', JSON.stringify({
    ...JSON.parse(sessionStorage.getItem('console-session')), workspaceId: '${elsewhere}' }))`);
  await page.goto('/console/keys');
  await heading(page, 'Keys').waitFor();
  await page.getByRole('button', { name: `Workspace: Workspace ${tenant.workspaceId}` }).waitFor();
});

test('a member without a workspace learns who can create one', async () => {
  const page = await openAs(await withoutWorkspace(), '/live', 'member');
  await page.getByText('An owner of your organization can create one.').waitFor();
});

test('an agency without a workspace begins in the partner program', async () => {
  const tenant = await withoutWorkspace();
  await createAgency(tenant.organizationId);
  const page = await openAs(tenant, '/');
  await heading(page, 'Partner').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/partner');
  await page.goto(`${api().url}/console/payments`);
  await heading(page, 'Create a workspace').waitFor();
});

test('a platform admin without a workspace begins with the reviews', async () => {
  const page = await openAs(await withoutWorkspace(), '/', 'platform_admin');
  await page.waitForURL(/\/partner\/reviews\/identities$/);
  await views(page).getByRole('link', { name: 'Payments' }).click();
  await page.waitForURL(/\/payments\/everybody$/);
});

test('each page and section has a title of its own, and focus goes to the heading', async () => {
  const page = await openAs(await createTenant(), '/webhooks');
  await heading(page, 'Webhooks').waitFor();
  expect(await page.title()).toBe('Endpoints · Webhooks · Engagement');
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await expect.poll(() => page.title()).toBe('Deliveries · Webhooks · Engagement');
  await views(page).getByRole('link', { name: 'Campaigns' }).click();
  await heading(page, 'Campaigns').waitFor();
  await expect.poll(() => focused(page)).toBe('H1: Campaigns');
  await views(page).getByRole('link', { name: 'Payments' }).click();
  await page.getByRole('link', { name: 'Links' }).click();
  await expect.poll(() => page.title()).toBe('Links · Payments · Engagement');
});

test('unsaved changes are not lost by a link, by Back, or by closing a dialog', async () => {
  const page = await openAs(await createTenant(), '/campaigns');
  await page.getByRole('link', { name: 'New campaign' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Winter sale');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await views(page).getByRole('link', { name: 'Keys' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.evaluate('history.back()');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Winter sale');
  await page.evaluate('history.back()');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await heading(page, 'Campaigns').waitFor();

  await views(page).getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New key' });
  await form.getByLabel('Name').fill('Web shop');
  await page.keyboard.press('Escape');
  const discard = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await discard.getByRole('button', { name: 'Keep editing' }).click();
  await discard.waitFor({ state: 'detached' });
  expect(await form.getByLabel('Name').inputValue()).toBe('Web shop');
});

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

test('after the palette or the shortcuts, focus is where it was, else on the heading', async () => {
  const tenant = await createTenant();
  const other = await createSibling(tenant);
  const page = await openAs(tenant, '/');
  await heading(page, 'Choose a workspace').waitFor();
  for (const key of ['Control+k', '?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page), { message: key }).toBe('H1: Choose a workspace');
  }
  const choice = page.getByRole('main').getByRole('button', { name: other.workspaceId });
  await choice.focus();
  for (const key of ['?', 'Control+k']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect
      .poll(() => focused(page), { message: key })
      .toBe(`BUTTON: Workspace ${other.workspaceId}`);
  }
});

test('a Tab right after Escape goes on from where the focus was', async () => {
  const tenant = await createTenant();
  await createAgency(tenant.organizationId);
  await createDeal(tenant.organizationId);
  const page = await openAs(tenant, '/partner/deals');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const register = page.getByRole('button', { name: 'Register deal' });
  const acme = page.getByRole('link', { name: 'Acme' });
  await acme.waitFor();
  const above = page.locator(':is([role=dialog], [role=menu]) :focus');
  for (const [from, key] of [
    [heading(page, 'Partner'), '?'],
    [heading(page, 'Partner'), '?'],
    [heading(page, 'Partner'), 'Control+k'],
    [register, 'Enter'],
    [acme, 'Enter'],
    [page.getByRole('button', { name: 'Account and appearance' }), 'Enter'],
  ] as const) {
    await from.focus();
    await page.keyboard.press('Tab');
    const next = await focused(page);
    await from.focus();
    await page.keyboard.press(key);
    await above.waitFor();
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Tab')]);
    expect(await focused(page), `${String(from)}: ${key}`).toBe(next);
  }
  await register.press('Enter');
  await page.getByRole('textbox', { name: 'Company' }).fill('Acme');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).and(page.locator(':focus')).waitFor();
  await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Tab')]);
  await page.getByRole('textbox', { name: 'Domain' }).and(page.locator(':focus')).waitFor();
});

test('a new sign-in opens the workspace that the user opened last, while it exists', async () => {
  const tenant = await createTenant();
  const other = await createSibling(tenant);
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const page = await open({ url: api().url, token, path: '/keys', mayFail: /40[34]/ });
  await heading(page, 'Choose a workspace to open Keys').waitFor();
  await page.getByRole('main').getByRole('button', { name: other.workspaceId }).click();
  await page.getByText(other.writeKey).waitFor();
  await page.getByRole('button', { name: 'Account and appearance' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const field = page.getByLabel('Access token').first();
  await field.fill(token);
  await field.press('Enter');
  await views(page).getByRole('link', { name: 'Keys' }).click();
  await page.getByText(other.writeKey).waitFor();
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(token);
  const elsewhere = (await createTenant()).workspaceId;
  await page.evaluate(`sessionStorage.clear();
    for (const name of Object.keys(localStorage).filter(name => name.startsWith('console-workspace-')))
      localStorage.setItem(name, '${elsewhere}')`);
  await page.reload();
  await field.fill(token);
  await field.press('Enter');
  await heading(page, 'Choose a workspace to open Keys').waitFor();
});

test('an admin sees what waits, and the whole navigation, before a workspace is chosen', async () => {
  const tenant = await createTenant();
  await createSibling(tenant);
  await createKycSubmission((await createTenant()).organizationId);
  const page = await openAs(tenant, '/', 'owner', 'platform_admin');
  await heading(page, 'Choose a workspace').waitFor();
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByRole('link', { name: /^Identities \(KYC\) to review/ }).waitFor();
  await lookAt(page, 'choose-workspace-admin');
  await page.setViewportSize({ width: 1280, height: 800 });
  const last = views(page).getByRole('link', { name: 'Operations' });
  const box = (await last.boundingBox())!;
  expect(box.y + box.height).toBeLessThan(800);
  await concerns.getByRole('link', { name: /^Identities \(KYC\) to review/ }).click();
  await page.waitForURL(/\/partner\/reviews\/identities$/);
  await page.getByRole('button', { name: 'Workspace: No workspace' }).waitFor();
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

test('keys go to the search, show exact times, and list themselves', async () => {
  const tenant = await createTenant();
  await createCampaign(tenant.workspaceId, { name: 'Winter sale' });
  const page = await openAs(tenant, '/campaigns');
  const time = page.getByRole('row').filter({ hasText: 'Winter sale' }).locator('time').last();
  await time.getByText(/now|ago/i).waitFor();
  await page.keyboard.press('t');
  await time.getByText(/:\d\d:\d\d/).waitFor();
  // As with Caps Lock.
  await page.keyboard.press('T');
  await time.getByText(/now|ago/i).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('?wint');
  expect(await page.getByRole('textbox', { name: 'Search by name' }).inputValue()).toBe('?wint');
  await heading(page, 'Campaigns').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await lookAt(page, 'shortcuts');
});

test('on Live, / goes to the name, and the palette leaves the focus on the new page', async () => {
  const page = await openAs(await createTenant(), '/live');
  await heading(page, 'Live').waitFor();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('tt');
  expect(await name.inputValue()).toBe('tt');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Search' }).fill('sdk');
  await page.getByRole('dialog').getByRole('button', { name: 'New SDK key' }).waitFor();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Search' }).fill('keys');
  await page.getByRole('dialog').getByRole('button', { name: 'Keys', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await heading(page, 'SDK keys').waitFor();
  await expect.poll(() => focused(page)).toBe('H1: SDK keys');
});
