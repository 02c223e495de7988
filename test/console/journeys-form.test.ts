// The form of a journey: it is built, changed, and saved without losing what was typed.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { segmentCreate } from '../../graphql-api/segments/segment.actions.ts';
import { templateArchive } from '../../graphql-api/templates/template.archive.ts';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { templateVersionCreate } from '../../graphql-api/templates/version.create.ts';
import { lookAt } from './harness/look-at.ts';
import { confirmWith, useJourneys } from './journeys-scene.ts';

const { tell, openAt } = useJourneys();

test('an owner builds a journey with a message, a wait and a widget, starts it and tries it', async () => {
  const { act, tenant } = await tell();
  await act(segmentCreate, { name: 'Newcomers', rule: RULE });
  const page = await openAt('/journeys', tenant);
  await page.getByRole('link', { name: 'New journey' }).click();
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByText('Choose a template.').waitFor();
  await page.getByLabel('Name').fill('First week');
  expect(await page.getByText('Enter a name.').count()).toBe(0);
  await choose(page, 'Entry', 'New members of “Newcomers”');
  await choose(page, 'Template', 'Welcome');
  await choose(page, 'Channel and language', 'Email, English');
  await page.getByRole('button', { name: 'Wait', exact: true }).click();
  await waitingTime(page).fill('400');
  await page.getByText('Enter at most 365 days.').waitFor();
  await waitingTime(page).fill('2');
  await page.getByRole('button', { name: 'Widget', exact: true }).click();
  await page.getByLabel('Title or question').fill('How is it going?');
  await lookAt(page, 'journey-new');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { name: 'First week', level: 1 }).waitFor();
  const steps = page.getByRole('region', { name: 'Steps of the journey' }).getByRole('listitem');
  await steps.nth(3).waitFor();
  expect(await steps.count()).toBe(4);
  await steps.nth(1).getByText('2 days').waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await choose(page, 'Entry', 'Enrolled people only');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enrolled people only').waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await confirmWith(page, 'Start the journey');
  await page.getByRole('button', { name: 'Enrol people' }).click();
  await page.getByRole('combobox', { name: 'User IDs' }).fill('john');
  await page.getByRole('dialog').getByRole('button', { name: 'Enrol' }).click();
  await page.getByText('1 in the journey').waitFor();
});

test('a template that is not among the newest is found by its name', async () => {
  const { act, tenant } = await tell();
  for (let number = 1; number <= 100; number++)
    await act(templateCreate, { name: `Newer ${number}` });
  const page = await openAt('/journeys/new', tenant);
  await page.getByText('Type a part of the name to find others.').waitFor();
  const field = page.getByRole('combobox', { name: 'Template' });
  await field.fill('welc');
  await page.getByRole('option', { name: 'Welcome' }).click();
  await choose(page, 'Channel and language', 'Email, English');
  expect(await field.inputValue()).toBe('Welcome');
});

function waitingTime(page: Page) {
  return page.getByRole('textbox', { name: 'Wait for', exact: true });
}

const RULE = { event: { name: 'signed_up' }, at_least: 1, within_days: 7 };

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).first().click();
  await page.getByRole('option', { name: option }).click();
}

test('steps are moved and branch, and what was typed is not lost by a link', async () => {
  const { path, tenant } = await tell();
  const page = await openAt(path, tenant);
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Move down: 2. Wait: 3 days' }).click();
  await page.getByRole('button', { name: 'Move up: 3. Wait: 3 days' }).click();
  const goesOn = page.getByRole('combobox', { name: 'Continue with' }).nth(1);
  await goesOn.click();
  await page.getByRole('option', { name: '4. Message: Reminder' }).click();
  await page.getByText('No step leads here.').waitFor();
  await goesOn.click();
  await page.getByRole('option', { name: 'Next step: 3. Widget' }).click();
  await page.getByText('No step leads here.').waitFor({ state: 'detached' });
  await waitingTime(page).fill('5');
  await page.getByText('The current settings of this widget can’t be shown here.').waitFor();
  await page.getByRole('link', { name: 'Templates' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await waitingTime(page).inputValue()).toBe('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Set where and to whom the widget is shown.').waitFor();
  await page.getByRole('button', { name: 'Enter settings again' }).click();
  await lookAt(page, 'journey-edit');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3 people in the journey finish with the steps they entered with').waitFor();
  await confirmWith(page, 'Save the steps');
  const steps = page.getByRole('region', { name: 'Steps of the journey' }).getByRole('listitem');
  await steps.nth(1).getByText('5 days').waitFor();
  await steps.nth(2).getByText('If clicked: step 5. If dismissed or expired: step 4.').waitFor();
  await page.getByText('The steps have been changed since the journey was created.').waitFor();
});

test('a concurrent change is not overwritten, and nothing that was typed is lost', async () => {
  const { path, tenant } = await tell();
  const page = await openAt(`${path}/edit`, tenant);
  await page.getByLabel('Name').waitFor();
  const other = await openAt(`${path}/edit`, tenant);
  await other.getByLabel('Name').fill('Renamed');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  await page.getByLabel('Name').fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else changed the journey after you opened it.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
  await page.getByText('Edit “Renamed”').waitFor();
  await page.getByRole('button', { name: 'Keep my changes' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
});

test('a template that was archived meanwhile is refused at its step', async () => {
  const { act, tenant } = await tell();
  const { id } = await act(templateCreate, { name: 'Short-lived' });
  await act(templateVersionCreate, { id, channel: 'sms', language: 'en', body: 'Hello.' });
  const page = await openAt('/journeys/new', tenant);
  await page.getByLabel('Name').fill('Too late');
  await choose(page, 'Template', 'Short-lived');
  await choose(page, 'Channel and language', 'SMS, English');
  await act(templateArchive, { id });
  await page.getByRole('button', { name: 'Create draft' }).click();
  await page.getByText('This template was archived. Choose another one.').waitFor();
});
