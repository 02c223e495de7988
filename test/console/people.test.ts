// People are found in a list, and owners change their consents.

import { expect, test } from 'vitest';
import { NO_CONSENT_NEEDED } from '../../console/pieces/consent-words.ts';
import { createContact } from '../harness/campaign.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { ASHA, addressOf, chooseAction, usePeople } from './people-scene.ts';

const { openAt } = usePeople();

test('lists the contacts, and finds them by user ID, name and email', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/people');
  await page.getByText('No people yet').waitFor();
  const traits = { name: 'Asha Rao', email: 'asha@shop.example' };
  await createContact(tenant.workspaceId, { userId: ASHA, traits });
  await createContact(tenant.workspaceId, { userId: 'ben-7', isSuppressed: true });
  await page.reload();
  await page.getByText('Asha Rao, asha@shop.example').waitFor();
  await page.getByRole('row', { name: /ben-7/ }).getByText('Suppressed').waitFor();
  await lookAt(page, 'people');
  // A table that does not scroll is no stop of the Tab key.
  await expect.poll(() => page.locator('.table-frame[tabindex]').count()).toBe(0);
  await page.getByRole('textbox', { name: /^Search by/ }).fill('rao');
  await page.waitForURL(/search=rao/);
  await page.getByRole('row', { name: /ben-7/ }).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: ASHA, level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Traits' }).getByText('asha@shop.example').waitFor();
  await page.getByRole('region', { name: 'Consents' }).getByText(NO_CONSENT_NEEDED).waitFor();
  await page.getByRole('link', { name: 'People' }).last().click();
  await page.getByRole('textbox', { name: /^Search by/ }).fill('nobody');
  await page.getByText('No contact found for “nobody”').waitFor();
  await page.getByRole('link', { name: 'Show the timeline of “nobody”' }).click();
  await page.getByText('There is no contact with this user ID').waitFor();
});

test('a person is found by a trait, and the list is the same after going back', async () => {
  const tenant = await createTenant();
  const person = (userId: string, traits: object) =>
    createContact(tenant.workspaceId, { userId, traits });
  await person('u-1', { name: 'Zola Das', city: 'Pune', plan: 'pro', home: { zip: '411001' } });
  await person('u-2', { name: 'Zola Rao', city: 'Delhi', plan: 'free' });
  await person('u-3', { name: 'Asha Rao', city: 'Pune', plan: 'free' });
  const page = await openAt(tenant, '/people');
  const row = (name: RegExp) => page.getByRole('row', { name });
  await row(/u-1/).getByText('city Pune · plan pro').waitFor();
  await page.getByRole('textbox', { name: /^Search by/ }).fill('zola pune');
  await page.getByText('To find them by anything else, such as their city').waitFor();
  await lookAt(page, 'people-not-found');
  await page.getByRole('button', { name: 'Search for “zola” and choose a trait' }).press('Enter');
  await row(/u-2/).waitFor();
  expect(await row(/u-3/).count()).toBe(0);
  const search = page.getByRole('textbox', { name: /^Search by/ });
  expect(await search.inputValue()).toBe('zola');
  const trait = page.getByRole('combobox', { name: 'Trait', exact: true });
  await expect.poll(() => trait.evaluate(input => input === document.activeElement)).toBe(true);
  await page.getByRole('option', { name: 'city', exact: true }).click();
  const value = page.getByRole('combobox', { name: 'Value of city' });
  await value.fill('Pu');
  await page.keyboard.press('Enter');
  await row(/u-2/).waitFor({ state: 'detached' });
  expect(await value.inputValue()).toBe('Pune');
  await row(/u-1/).waitFor();
  await lookAt(page, 'people-by-trait');
  const filters = new URL(page.url()).search;
  expect(Object.fromEntries(new URLSearchParams(filters))).toEqual({
    search: 'zola',
    trait: 'city',
    value: 'Pune',
  });
  await page.getByRole('link', { name: 'u-1' }).click();
  await page.getByRole('heading', { name: 'u-1', level: 1 }).waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Events' }).click();
  await page.getByText('No events in this period').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'u-1', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'People' }).last().click();
  await row(/u-1/).waitFor();
  expect(new URL(page.url()).search).toBe(filters);
  expect(await row(/u-2|u-3/).count()).toBe(0);
  expect(await value.inputValue()).toBe('Pune');
  await value.fill('pune');
  await page.getByText('No contact found for “zola” with city “pune”').waitFor();
  await trait.fill('');
  await row(/u-2/).waitFor();
});

test('an owner changes consents, and suppresses and unsuppresses', async () => {
  const tenant = await createTenant();
  const { contactId } = await createContact(tenant.workspaceId, {
    userId: 'asha',
    consents: { marketing: 'GRANTED' },
  });
  const page = await openAt(tenant, addressOf('asha'));
  const marketing = page.getByRole('switch', { name: 'Consent to marketing' });
  await marketing.focus();
  await page.keyboard.press('Space');
  await page.getByText('Consent to marketing was changed').waitFor();
  await page.getByRole('button', { name: 'Record consent' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Purpose').fill('offers');
  await form.getByLabel('Source').fill('call center');
  await lookAt(page, 'person-consent');
  await form.getByRole('button', { name: 'Record consent' }).click();
  await page.getByRole('switch', { name: 'Consent to offers', checked: true }).waitFor();
  await page.getByText(/call center/).waitFor();
  expect(
    await sql(
      'SELECT purpose, status, source FROM consents WHERE contact_id = $1 ORDER BY purpose',
      [contactId],
    ),
  ).toEqual([
    { purpose: 'marketing', status: 'DENIED', source: 'console' },
    { purpose: 'offers', status: 'GRANTED', source: 'call center' },
  ]);

  await chooseAction(page, 'Suppress');
  await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
  await page.getByText('Receives no journey messages and no marketing campaigns since').waitFor();
  await chooseAction(page, 'Unsuppress');
  await page.getByRole('dialog').getByRole('button', { name: 'Unsuppress' }).click();
  await page
    .getByText('Receives no journey messages and no marketing campaigns since')
    .waitFor({ state: 'detached' });
});

test('a member sees people, and is offered no change', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha', consents: { marketing: 'GRANTED' } });
  const page = await openAt(tenant, addressOf('asha'), { role: 'member' });
  await page.getByRole('region', { name: 'Consents' }).getByText('Granted').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Record consent' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
});
