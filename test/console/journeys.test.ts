// The list of journeys, and the page of one: its steps and its state.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { journeyCreate } from '../../graphql-api/journeys/journey.actions.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { createTenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { confirmWith, type JourneysScene, useJourneys } from './journeys-scene.ts';

const { tell, openAt } = useJourneys();
let told: JourneysScene;

beforeAll(async () => {
  told = await tell();
});

function rowOf(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text });
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
  const { act, tenant } = await tell();
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

test('a draft is started, paused, resumed and archived, and each says what happens to people', async () => {
  const { path, tenant } = await tell();
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

test('a new workspace explains journeys and leads to the form', async () => {
  const tenant = await createTenant();
  const page = await openAt('/journeys', tenant, 'member');
  await page.getByRole('heading', { name: 'No journeys yet' }).waitFor();
  await lookAt(page, 'journeys-empty');
  await page.getByRole('link', { name: 'New journey' }).first().click();
  await page.getByRole('heading', { name: 'New journey', level: 1 }).waitFor();
});
