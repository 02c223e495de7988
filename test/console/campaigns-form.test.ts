// The form of a campaign in a browser: its audience with the people it reaches, its variants and its
// schedule.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_CONSENT_NEEDED } from '../../console/pieces/consent-words.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { mutate } from '../graphql-api/harness/mutate.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createCampaign, createContact } from '../harness/campaign.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

/** The form of a new campaign with a name and a title. */
async function openForm({ organizationId }: Tenant): Promise<Page> {
  const token = await tokenFor(organizationId, { roles: ['owner'] });
  const page = await open({ url: api().url, token, path: '/campaigns/new' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Winter sale');
  await page.getByRole('textbox', { name: 'Title or question' }).fill('20 % off');
  await page.getByRole('img', { name: 'Sketch: 20 % off' }).waitFor();
  return page;
}

const GRANTED = { marketing: 'GRANTED' } as const;

const create = (page: Page) => page.getByRole('button', { name: 'Create the draft' }).click();

test('all fields of an added condition are in view, above the bar at the foot', async () => {
  const page = await openForm(await createTenant());
  await page.setViewportSize({ width: 1024, height: 500 });
  const add = page.getByRole('button', { name: 'Add a trait' });
  for (const at of [1, 2, 3]) {
    await add.click();
    const trait = page.getByRole('combobox', { name: `Condition ${at}: trait` });
    await expect.poll(() => trait.evaluate(field => field === document.activeElement)).toBe(true);
    const value = page.getByRole('combobox', { name: `Condition ${at}: value` });
    const isOnTop = (field: Element) => {
      const { left, bottom } = field.getBoundingClientRect();
      return document.elementFromPoint(left + 20, bottom - 2) === field;
    };
    expect(await value.evaluate(isOnTop)).toBe(true);
  }
});

test('the audience counts the contacts with consent, and the launch dialog warns if there are none', async () => {
  const tenant = await createTenant();
  const { workspaceId } = tenant;
  const traits = { plan: 'pro' };
  await createContact(workspaceId, { traits, consents: GRANTED });
  await createContact(workspaceId, { traits });
  await createContact(workspaceId);
  const page = await openForm(tenant);
  await page.getByText('That is 3 of 3 contacts; consent to marketing lets 1 of them').waitFor();
  await page.getByRole('button', { name: 'Add a trait' }).click();
  const trait = page.getByRole('combobox', { name: 'Condition 1: trait' });
  await expect.poll(() => trait.evaluate(field => field === document.activeElement)).toBe(true);
  await page.getByText('Complete the audience and the consent to count the people.').waitFor();
  await create(page);
  await page.getByText('Enter a trait').waitFor();
  await trait.fill('pl');
  await page.getByRole('option', { name: 'plan' }).waitFor();
  await page.keyboard.press('Enter');
  expect(await trait.inputValue()).toBe('plan');
  const value = page.getByRole('combobox', { name: 'Condition 1: value' });
  await value.fill('Pro');
  await page.getByText('Nobody matches.').waitFor();
  const tab = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'People (new tab)' }).click();
  await (await tab).getByRole('heading', { name: 'People', level: 1 }).waitFor();
  await value.click();
  await page.getByRole('option', { name: 'pro 1 of 2 people' }).click();
  await page.getByText('That is 2 of 3 contacts; consent to marketing lets 1 of them').waitFor();
  await page.getByText(NO_CONSENT_NEEDED).waitFor();
  await page.getByRole('textbox', { name: 'Consent' }).fill('news');
  await page.getByText('That is 2 of 3 contacts; consent to news lets 0 of them').waitFor();
  await lookAt(page, 'campaign-audience');
  await create(page);
  await page.getByText('2 of 3 contacts; consent to news lets 0 of them see it').waitFor();
  await page.getByRole('button', { name: 'Launch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No contact can see it now').waitFor();
  await dialog
    .getByText(
      'Its audience has 2 of the 3 contacts, but consent to news lets none of them see it.',
    )
    .waitFor();
  await lookAt(page, 'campaign-launch');
});

test('Enter in a value chooses the first suggestion, and does not submit the form', async () => {
  const tenant = await createTenant();
  const { workspaceId } = tenant;
  for (const city of ['Athens', 'Athens', 'Lisbon'])
    await createContact(workspaceId, { traits: { city } });
  await createContact(workspaceId, { traits: { city: 'Lisbon' }, consents: GRANTED });
  const page = await openForm(tenant);
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: trait' }).fill('ci');
  await page.getByRole('option', { name: 'city' }).waitFor();
  await page.keyboard.press('Enter');
  const value = page.getByRole('combobox', { name: 'Condition 1: value' });
  await value.click();
  const options = page.getByRole('option');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual(['Lisbon\n1 of 2 people', 'Athens\n0 of 2 people']);
  await value.fill('Li');
  const first = page.getByRole('option', { name: 'Lisbon' });
  await first.and(page.locator('[data-combobox-selected]')).waitFor();
  await page.getByText('People among the newest 100 contacts: first those whom').waitFor();
  await page.keyboard.press('Enter');
  expect(await value.inputValue()).toBe('Lisbon');
  await value.fill('Nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('Nobody matches.').waitFor();
  expect(await value.inputValue()).toBe('Nowhere');
  await page.getByRole('combobox', { name: 'Condition 1: comparison' }).click();
  await page.getByRole('option', { name: 'contains' }).click();
  await value.fill('Li');
  await first.waitFor();
  await page.keyboard.press('Enter');
  expect(await value.inputValue()).toBe('Li');
  await page.keyboard.press('Tab');
  await page.getByRole('combobox', { name: 'Condition 1: comparison' }).click();
  await page.getByRole('option', { name: 'is one of' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: value' }).press('Enter');
  await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor();
});

test('the form and the launch dialog warn of a draft without content or audience', async () => {
  const tenant = await createTenant();
  for (const city of ['Lisbon', 'Berlin'])
    await createContact(tenant.workspaceId, { traits: { city } });
  const page = await openForm(tenant);
  const none = page.getByText('It has no content, so it can’t be launched.');
  await page.getByText('Consent to marketing lets nobody in its audience see it.').waitFor();
  expect(await none.count()).toBe(0);
  await page.getByRole('textbox', { name: 'Title or question' }).fill('');
  await none.waitFor();
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: trait' }).fill('city');
  await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('Oslo');
  await page.getByText('Nobody is in its audience.').waitFor();
  await lookAt(page, 'campaign-warning');
  await create(page);
  await page.getByRole('heading', { name: 'Winter sale', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Launch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('None of the 2 contacts is in its audience.').waitFor();
  await dialog.getByText('this one has priority 0').waitFor();
  await dialog.getByRole('button', { name: 'Launch the campaign' }).click();
  await page.getByText('The content is missing').waitFor();
});

/** More than the stops from one field to the other. */
const TABS_MAX = 10;

test('the content follows the audience, and the optional settings are closed until they are used', async () => {
  const tenant = await createTenant();
  const page = await openForm(tenant);
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: value' }).focus();
  const title = page.getByRole('textbox', { name: 'Title or question' });
  const isReached = () => title.evaluate(field => field === document.activeElement);
  for (let tabs = 0; tabs < TABS_MAX && !(await isReached()); tabs += 1)
    await page.keyboard.press('Tab');
  expect(await isReached()).toBe(true);
  await page.getByRole('button', { name: 'Remove condition 1' }).click();
  const priority = page.getByRole('textbox', { name: 'Priority' });
  expect(await priority.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'More settings' }).click();
  await priority.fill('7');
  await lookAt(page, 'campaign-more-settings');
  await create(page);
  await page.getByText('No end date').waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await priority.waitFor();
  expect(await priority.inputValue()).toBe('7');
});

test('a field that has focus is above the save bar, and so is the size of the audience', async () => {
  const page = await openForm(await createTenant());
  await page.setViewportSize({ width: 1280, height: 800 });
  const bar = page.locator('.save-bar');
  const isAbove = async (one: Locator) => {
    const [box, barBox] = await Promise.all([one.boundingBox(), bar.boundingBox()]);
    return box !== null && barBox !== null && box.y + box.height <= barBox.y;
  };
  await page.getByRole('button', { name: 'More settings' }).click();
  for (const name of ['Consent', 'Priority']) {
    const field = page.getByRole('textbox', { name });
    await field.focus();
    await expect.poll(() => isAbove(field), { message: name }).toBe(true);
  }
  await page.getByRole('button', { name: 'Add a trait' }).focus();
  const size = page.getByText('That is 0 of 0 contacts.');
  await expect.poll(() => isAbove(size)).toBe(true);
});

test('the audience has people who are in a segment, or are not', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { consents: { marketing: 'GRANTED' } });
  const rule = { event: { name: 'Order Completed' }, at_least: 1, within_days: 30 };
  const input = { name: 'Ordered lately', rule };
  await mutate({ api: api(), tenant }, 'segmentCreate', { input }, 'segment { id }');
  const page = await openForm(tenant);
  await page.getByRole('button', { name: 'Add a segment' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: segment' }).click();
  await page.getByRole('option', { name: /Ordered lately/ }).click();
  await page.getByText('That is 0 of 1 contacts.').waitFor();
  await page.getByRole('combobox', { name: 'Condition 1: membership' }).click();
  await page.getByRole('option', { name: 'Is not in the segment' }).click();
  await page.getByText('That is 1 of 1 contacts; consent to marketing lets 1 of them').waitFor();
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await page.getByText('Any condition').click();
  await lookAt(page, 'campaign-segment');
  await page.getByRole('button', { name: 'Remove condition 2' }).click();
  await create(page);
  await page.getByText('not in “Ordered lately”').waitFor();
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.getByRole('dialog').getByText('Right now, that is 1 of 1 contacts').waitFor();
});

test('an archived segment of the audience is shown by its name', async () => {
  const tenant = await createTenant();
  const caller = { api: api(), tenant };
  const rule = { event: { name: 'Order Completed' }, at_least: 1, within_days: 30 };
  const input = { name: 'Ordered lately', rule };
  const { segment: made } = await mutate<{
    segment: { readonly id: string; readonly audienceId: string };
  }>(caller, 'segmentCreate', { input }, 'segment { id audienceId }');
  await mutate(caller, 'segmentArchive', { id: made.id }, 'segment { id }');
  const audience = { and: [{ segment_id: made.audienceId }] };
  const campaignId = await createCampaign(tenant.workspaceId, { status: 'DRAFT', audience });
  const token = await tokenFor(tenant.organizationId, { roles: ['owner'] });
  const path = `/campaigns/${encodeNodeId('Campaign', campaignId)}/edit`;
  const page = await open({ url: api().url, token, path });
  const segment = page.getByRole('combobox', { name: 'Condition 1: segment' });
  await segment.click();
  await page.getByRole('option', { name: 'Ordered lately (archived)' }).waitFor();
  expect(await segment.inputValue()).toBe('Ordered lately (archived)');
});

test('variants have names, weights with their shares, and content; a refused time says so', async () => {
  const page = await openForm(await createTenant());
  const add = page.getByRole('button', { name: 'Add a variant' });
  await add.click();
  await add.click();
  await page.getByRole('textbox', { name: 'Variant 1: weight' }).fill('3');
  await page.getByText('Weight (75%)').waitFor();
  await page.getByRole('switch', { name: 'Variant 2: content of its own' }).click();
  const own = page.getByRole('group', { name: 'Content of variant 2' });
  await own.getByRole('textbox', { name: 'Title or question' }).fill('Only now');
  await page.getByRole('img', { name: 'Sketch: Only now' }).waitFor();
  const name = page.getByRole('textbox', { name: 'Variant 2: name' });
  await name.fill('a');
  await create(page);
  await page.getByText('Enter a name that no other variant has').waitFor();
  await lookAt(page, 'campaign-variants');
  await name.fill('loud');
  const more = page.getByRole('button', { name: 'More settings' });
  await more.click();
  const from = page.getByLabel('From');
  await from.focus();
  await page.keyboard.type('02');
  await more.click();
  expect(await from.isVisible()).toBe(false);
  await create(page);
  await from.waitFor();
  await from.fill('2100-02-02T10:00');
  const until = page.getByLabel('Until');
  await until.fill('2100-02-01T10:00');
  expect(await page.getByText('In the time zone UTC.').count()).toBe(2);
  await create(page);
  await page.getByText('Enter a time after the start and after now.').waitFor();
  await more.click();
  expect(await until.isVisible()).toBe(false);
  await more.click();
  await until.fill('2100-03-01T10:00');
  await create(page);
  await page.getByRole('heading', { name: 'Winter sale', level: 1 }).waitFor();
  await page.getByText('a 75%, loud 25%').waitFor();
  await page.getByRole('tab', { name: 'loud' }).click();
  await page.getByRole('img', { name: 'Sketch: Only now' }).waitFor();
});
