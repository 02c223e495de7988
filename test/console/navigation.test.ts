// What all views share: titles and focus, unsaved changes, shortcuts.

import { expect, test } from 'vitest';
import { createAgency, createDeal } from '../graphql-api/harness/partner.ts';
import { createCampaign } from '../harness/campaign.ts';
import { createSibling, createTenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { focused, heading, useNavigation, views } from './navigation-scene.ts';

const { openAs } = useNavigation();

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
