import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { journeyCreate } from '../../graphql-api/journeys/journey.actions.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { segmentCreate } from '../../graphql-api/segments/segment.actions.ts';
import { templateArchive } from '../../graphql-api/templates/template.archive.ts';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { templateVersionCreate } from '../../graphql-api/templates/version.create.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { useDeps } from '../graphql-api/harness/deps.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { type JourneysScene, tellJourneys } from './journeys-scene.ts';

const api = useSharedApi();
const deps = useDeps();
const open = useConsole(useChromium());
let told: JourneysScene;

beforeAll(async () => {
  told = await tellJourneys(deps());
});

type Role = 'owner' | 'member';

async function openAt(path: string, tenant: Tenant, role: Role = 'owner'): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return open({ url: api().url, token, path });
}

function rowOf(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text });
}

/** `title` names the dialog where another one is open. */
async function confirmWith(page: Page, button: string, title?: string): Promise<void> {
  const dialog = page.getByRole('dialog', title === undefined ? {} : { name: title });
  await dialog.getByRole('button', { name: button }).click();
}

test('lists journeys with their people and the versions that they hold, and finds them by name and state', async () => {
  const { act, tenant, path } = told;
  await act(journeyCreate, { name: 'Win back', nodes: [{ id: 'end', kind: 'end' }] });
  const page = await openAt('/journeys', tenant);
  const row = rowOf(page, 'Onboarding');
  await row.getByText('Active').waitFor();
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
  await row.getByText('Welcome: v2, v1').waitFor();
  await lookAt(page, 'journeys');
  await page.getByRole('textbox', { name: 'Search by name' }).fill('BACK');
  await rowOf(page, 'Onboarding').waitFor({ state: 'detached' });
  await rowOf(page, 'Win back').getByText('Draft').waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Paused' }).click();
  await page.getByRole('heading', { name: 'No matching journeys' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'Onboarding' }).click();
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor();
  expect(page.url()).toContain(path);
});

test('a search also finds journeys that are not on the first page', async () => {
  const { act, tenant } = await tellJourneys(deps());
  for (let at = 1; at <= 20; at += 1)
    await act(journeyCreate, { name: `Later ${at}`, nodes: [{ id: 'end', kind: 'end' }] });
  const page = await openAt('/journeys', tenant);
  await page.getByRole('link', { name: 'Later 20' }).waitFor();
  expect(await page.getByRole('link', { name: 'Onboarding' }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Search by name' }).fill('onboard');
  await page.getByRole('link', { name: 'Onboarding' }).waitFor();
});

test('shows the steps as a diagram that is also a list, with the people at each', async () => {
  const { path, tenant } = told;
  const page = await openAt(path, tenant);
  const steps = page.getByRole('region', { name: 'Steps of the journey' }).getByRole('listitem');
  await steps.nth(4).waitFor();
  expect(await steps.count()).toBe(5);
  await steps.nth(1).getByText('3 days').waitFor();
  await steps.nth(2).getByText('10 % off your first order').waitFor();
  await steps.nth(2).getByText('If clicked: step 5. If dismissed or expired: step 4.').waitFor();
  await untilAtWait(page);
  await steps.nth(0).getByText('Email, English · v2').waitFor();
  await lookAt(page, 'journey');
  await steps.nth(0).getByRole('link', { name: 'Welcome' }).click();
  await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
});

/** The API moves new people on within seconds. */
async function untilAtWait(page: Page): Promise<void> {
  const wait = page.getByRole('listitem').filter({ hasText: '2. Wait' });
  const again = page.getByRole('button', { name: 'Refresh' });
  await again.waitFor();
  await expect
    .poll(
      async () => {
        await again.click();
        return wait.getByText(/\d people here/).textContent();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toContain('3');
}

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
  const { path, tenant } = await tellJourneys(deps());
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
  const { path, tenant } = await tellJourneys(deps());
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

test('a draft is started, paused, resumed and archived, and each says what happens to people', async () => {
  const { path, tenant } = await tellJourneys(deps());
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('3 people in the journey stay at their current step').waitFor();
  await confirmWith(page, 'Pause the journey');
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Open asha', exact: true }).click();
  await page.getByRole('dialog').getByText('When the journey is resumed.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('3 people in the journey continue from the current step').waitFor();
  await confirmWith(page, 'Resume the journey');
  await page.getByText('Active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('3 people in the journey leave it within about a minute').waitFor();
  await confirmWith(page, 'Archive the journey');
  await page.getByText('Archived', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Enrol people' }).count()).toBe(0);
});

test('a draft without an active version is not started, and says why', async () => {
  const { act, tenant, welcomeId } = told;
  const { id } = await act(journeyCreate, {
    name: 'In Hindi',
    nodes: [
      {
        id: 'hello',
        kind: 'send',
        templateId: welcomeId,
        channel: 'sms',
        language: 'hi',
        next: 'end',
      },
      { id: 'end', kind: 'end' },
    ],
  });
  const page = await openAt(`/journeys/${encodeNodeId('Journey', id)}`, tenant);
  await page.getByText('SMS, Hindi · no active version').waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('People enter only when you enrol them').waitFor();
  await confirmWith(page, 'Start the journey');
  const refused = page.getByRole('alert').filter({ hasText: 'The journey wasn’t started' });
  await refused.getByText('No version is active in this channel and language.').waitFor();
  await lookAt(page, 'journey-not-started');
  await refused.getByRole('link', { name: /^1\. Message: / }).click();
  await page.getByText('No version is active in this channel and language.').waitFor();
  const field = page.getByRole('combobox', { name: 'Channel and language' });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.evaluate(input => input === document.activeElement)).toBe(true);
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

test('a template that people hold is not archived, and lists the journeys', async () => {
  const { tenant, welcomeId, path } = told;
  const page = await openAt(`/templates/${encodeNodeId('Template', welcomeId)}`, tenant);
  await page.getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await confirmWith(page, 'Archive template');
  const dialog = page.getByRole('dialog', { name: '“Welcome” wasn’t archived' });
  await dialog.getByRole('row').filter({ hasText: 'Onboarding' }).getByText('3').waitFor();
  await lookAt(page, 'template-not-archived');
  await dialog.getByRole('link', { name: 'Onboarding' }).click();
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor();
  expect(page.url()).toContain(path);
});

test('an owner builds a journey with a message, a wait and a widget, starts it and tries it', async () => {
  const { act, tenant } = await tellJourneys(deps());
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
  const { act, tenant } = await tellJourneys(deps());
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
  const { path, tenant } = await tellJourneys(deps());
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
  const { path, tenant } = await tellJourneys(deps());
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
  const { act, tenant } = await tellJourneys(deps());
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

test('a new workspace explains journeys and leads to the form', async () => {
  const tenant = await createTenant();
  const page = await openAt('/journeys', tenant, 'member');
  await page.getByRole('heading', { name: 'No journeys yet' }).waitFor();
  await lookAt(page, 'journeys-empty');
  await page.getByRole('link', { name: 'New journey' }).first().click();
  await page.getByRole('heading', { name: 'New journey', level: 1 }).waitFor();
});
