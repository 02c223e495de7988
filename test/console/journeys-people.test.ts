// The people in a journey: their steps and versions, and how they are enrolled and removed.

import { beforeAll, expect, test } from 'vitest';
import { lookAt } from './harness/look-at.ts';
import { confirmWith, type JourneysScene, useJourneys } from './journeys-scene.ts';

const { tell, openAt } = useJourneys();
let told: JourneysScene;

beforeAll(async () => {
  told = await tell();
});

test('lists the people with their step and versions, and links to them', async () => {
  const { path, tenant } = told;
  const page = await openAt(path, tenant);
  const people = page.getByRole('table', { name: 'People in the journey' });
  await people.getByRole('row').filter({ hasText: 'meera' }).getByText('Welcome v2').waitFor();
  await people.getByRole('row').filter({ hasText: 'asha' }).getByText('Welcome v1').waitFor();
  const link = people.getByRole('link', { name: 'asha' });
  expect(await link.getAttribute('href')).toBe('/console/people/asha');
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Exited' }).click();
  await page.getByRole('heading', { name: 'No people are exited' }).waitFor();
});

test('an owner overrides the version of one person, holds it, and removes the override', async () => {
  const { path, tenant } = await tell();
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Open asha', exact: true }).click();
  const welcome = page.getByRole('region', { name: '1. Message: Welcome' });
  await welcome.waitFor();
  const messages = page.getByRole('dialog').getByRole('region');
  const labels = await messages.evaluateAll(all => all.map(one => one.getAttribute('aria-label')));
  expect(labels).toEqual(['1. Message: Welcome', '4. Message: Reminder']);
  await welcome.getByRole('button', { name: 'Use another version' }).click();
  const form = page.getByRole('dialog', { name: 'Use another version for asha' });
  await form.getByLabel('Reason').fill('The first one was wrong');
  await lookAt(page, 'journey-override');
  await form.getByRole('button', { name: 'Use this version' }).click();
  await welcome.getByText('Chosen by an operator').waitFor();
  await welcome.getByText('“The first one was wrong”').waitFor();
  await welcome.getByText('Instead of version 1').waitFor();
  await lookAt(page, 'journey-person');
  await welcome.getByRole('button', { name: 'Remove the override' }).click();
  await confirmWith(page, 'Remove the override', 'Remove the override of asha');
  await welcome.getByText('Chosen by an operator').waitFor({ state: 'detached' });
  await welcome.getByRole('button', { name: 'Hold version 1' }).click();
  await page
    .getByRole('dialog', { name: 'Hold the version of asha' })
    .getByRole('button', { name: 'Hold version 1' })
    .click();
  await welcome.getByText('Held on this version').waitFor();
});

test('an owner enrols people, and removes some, who are then listed among those who left', async () => {
  const { path, tenant } = await tell();
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Enrol people' }).click();
  const form = page.getByRole('dialog', { name: 'Enrol people in “Onboarding”' });
  await form.getByText('They are sent “Welcome”, version 2, within seconds.').waitFor();
  await form.getByRole('combobox', { name: 'User IDs' }).fill('john,nobody,asha');
  await lookAt(page, 'journey-enrol');
  await form.getByRole('button', { name: 'Enrol' }).click();
  await page.getByText('1 person enrolled.').waitFor();
  await form
    .getByText('No contact has this user ID: nobody. Already in the journey: asha.')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('4 in the journey').waitFor();
  await page.getByRole('button', { name: 'Open john' }).click();
  await page.getByRole('button', { name: 'Remove from the journey' }).click();
  await confirmWith(page, 'Remove from the journey', 'Remove john from “Onboarding”');
  await page.getByText('john was removed from the journey.').waitFor();
  const people = page.getByRole('table', { name: 'People in the journey' });
  await people.getByRole('link', { name: 'john' }).waitFor({ state: 'detached' });
  await page.getByText('3 in the journey').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Remove meera' }).click();
  await confirmWith(page, 'Remove from the journey', 'Remove meera from “Onboarding”');
  await page.getByText('meera was removed from the journey.').waitFor();
  await people.getByRole('link', { name: 'meera' }).waitFor({ state: 'detached' });
  await people.getByRole('link', { name: 'asha' }).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')))
    .toMatch(/\/people\/\w+$/);
  await page.getByRole('link', { name: '2 in the journey' }).click();
  expect(new URL(page.url()).hash).toBe('#people');
  await page.keyboard.press('/');
  const search = page.getByRole('textbox', { name: 'Search by user ID' });
  expect(await search.evaluate(input => input === document.activeElement)).toBe(true);
  await search.fill('john');
  await page.getByText('No person found with the user ID “john”').waitFor();
  await lookAt(page, 'journey-people-search');
  await page.getByRole('button', { name: 'Search in all states' }).click();
  await people.getByRole('link', { name: 'john' }).waitFor();
  expect(await people.getByRole('link').allTextContents()).toEqual(['john']);
  await search.fill('');
  await people.getByRole('row').filter({ hasText: 'john' }).getByText('Exited').waitFor();
  expect(await page.getByRole('button', { name: 'Remove john' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Remove asha' }).waitFor();
});

test('a member enrols people, without the actions of owners', async () => {
  const { path, tenant } = told;
  const page = await openAt(path, tenant, 'member');
  await page.getByRole('button', { name: 'Enrol people' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Open asha', exact: true }).click();
  await page.getByRole('region', { name: '1. Message: Welcome' }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove from the journey' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open asha', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove asha' }).count()).toBe(0);
});
