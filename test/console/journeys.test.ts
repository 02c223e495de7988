import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { journeyCreate } from '../../graphql-api/journeys/journey.actions.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
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

async function confirmWith(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
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
  await page.getByRole('button', { name: 'Clear the filters' }).click();
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
  const steps = page.getByRole('region', { name: 'Steps as a diagram' }).getByRole('listitem');
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
  const again = page.getByRole('button', { name: 'Count again' });
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
  const people = page.getByRole('region', { name: 'People in the journey' });
  await people.getByRole('row').filter({ hasText: 'meera' }).getByText('Welcome v2').waitFor();
  await people.getByRole('row').filter({ hasText: 'asha' }).getByText('Welcome v1').waitFor();
  const link = people.getByRole('link', { name: 'asha' });
  expect(await link.getAttribute('href')).toBe('/console/people/asha');
  await page.getByRole('combobox', { name: 'State of the people' }).click();
  await page.getByRole('option', { name: 'Exited' }).click();
  await page.getByRole('heading', { name: 'No people are exited' }).waitFor();
});

test('an owner overrides the version of one person, holds it, and removes the override', async () => {
  const { path, tenant } = await tellJourneys(deps());
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Details of asha' }).click();
  const welcome = page.getByRole('region', { name: '1. Message: Welcome' });
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
  await confirmWith(page, 'Remove the override');
  await welcome.getByText('Chosen by an operator').waitFor({ state: 'detached' });
  await welcome.getByRole('button', { name: 'Hold version 1' }).click();
  await page
    .getByRole('dialog', { name: 'Hold the version of asha' })
    .getByRole('button', { name: 'Hold version 1' })
    .click();
  await welcome.getByText('Held on this version').waitFor();
});

test('an owner enrols people, and removes one', async () => {
  const { path, tenant } = await tellJourneys(deps());
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Enrol people' }).click();
  const form = page.getByRole('dialog', { name: 'Enrol people in “Onboarding”' });
  await form.getByText('They are sent “Welcome”, version 2, within seconds.').waitFor();
  await form.getByRole('textbox', { name: 'User IDs' }).fill('john,nobody,asha');
  await lookAt(page, 'journey-enrol');
  await form.getByRole('button', { name: 'Enrol' }).click();
  await page.getByText('1 person enrolled.').waitFor();
  await form
    .getByText('No contact has this user ID: nobody. Already in the journey: asha.')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('4 in the journey').waitFor();
  await page.getByRole('button', { name: 'Details of john' }).click();
  await page.getByRole('button', { name: 'Remove from the journey' }).click();
  await confirmWith(page, 'Remove from the journey');
  await page.getByRole('dialog').getByText('Exited').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('3 in the journey').waitFor();
});

test('a draft is started, paused, resumed and archived, and each says what happens to people', async () => {
  const { path, tenant } = await tellJourneys(deps());
  const page = await openAt(path, tenant);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('3 people in the journey stay at the current step').waitFor();
  await confirmWith(page, 'Pause the journey');
  await page.getByText('Paused', { exact: true }).waitFor();
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
  await page.getByText('people enter when you enrol them').waitFor();
  await confirmWith(page, 'Start the journey');
  await page.getByText('Activate a version of its template first.').waitFor();
});

test('a member enrols people, without the actions of owners', async () => {
  const { path, tenant } = told;
  const page = await openAt(path, tenant, 'member');
  await page.getByRole('button', { name: 'Enrol people' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Details of asha' }).click();
  await page.getByRole('region', { name: '1. Message: Welcome' }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove from the journey' }).count()).toBe(0);
});

test('a template that people hold is not archived, and lists the journeys', async () => {
  const { tenant, welcomeId, path } = told;
  const page = await openAt(`/templates/${encodeNodeId('Template', welcomeId)}`, tenant);
  await page.getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await confirmWith(page, 'Archive it');
  const dialog = page.getByRole('dialog', { name: '“Welcome” was not archived' });
  await dialog.getByRole('row').filter({ hasText: 'Onboarding' }).getByText('3').waitFor();
  await lookAt(page, 'template-not-archived');
  await dialog.getByRole('link', { name: 'Onboarding' }).click();
  await page.getByRole('heading', { name: 'Onboarding', level: 1 }).waitFor();
  expect(page.url()).toContain(path);
});

test('a new workspace explains journeys and leads to the form', async () => {
  const tenant = await createTenant();
  const page = await openAt('/journeys', tenant, 'member');
  await page.getByRole('heading', { name: 'No journeys yet' }).waitFor();
  await lookAt(page, 'journeys-empty');
});
