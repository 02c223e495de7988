// Where users begin, and how they create and choose workspaces.

import { expect, test } from 'vitest';
import { createAgency, createKycSubmission } from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createSibling, createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { focused, heading, useNavigation, views } from './navigation-scene.ts';

const { url, open, openAs } = useNavigation();

/** An organization that has just signed up. */
async function withoutWorkspace(): Promise<Tenant> {
  const tenant = await createTenant();
  await sql('DELETE FROM sdk_keys WHERE workspace_id = $1', [tenant.workspaceId]);
  await sql('DELETE FROM properties WHERE workspace_id = $1', [tenant.workspaceId]);
  await sql('DELETE FROM workspaces WHERE id = $1', [tenant.workspaceId]);
  return tenant;
}

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
  const page = await open({ url: url(), token, path: '/keys', mayFail: /403/ });
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
  await page.goto(`${url()}/console/payments`);
  await heading(page, 'Create a workspace').waitFor();
});

test('a platform admin without a workspace begins with the reviews', async () => {
  const page = await openAs(await withoutWorkspace(), '/', 'platform_admin');
  await page.waitForURL(/\/partner\/reviews\/identities$/);
  await views(page).getByRole('link', { name: 'Payments' }).click();
  await page.waitForURL(/\/payments\/everybody$/);
});

test('a new sign-in opens the workspace that the user opened last, while it exists', async () => {
  const tenant = await createTenant();
  const other = await createSibling(tenant);
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const page = await open({ url: url(), token, path: '/keys', mayFail: /40[34]/ });
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
