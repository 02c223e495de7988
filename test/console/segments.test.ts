// Segments in a browser: created with a preview, evaluated, edited and archived.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { eventRow, insertRows } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createContact } from '../harness/campaign.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

async function openAt(
  { organizationId }: Tenant,
  path: string,
  role: 'owner' | 'member' = 'owner',
): Promise<Page> {
  const token = await tokenFor(organizationId, { roles: [role] });
  return open({ url: api().url, token, path });
}

/** Ann and Bob ordered twice, Cem once; Ann and Cem have the plan pro. */
async function insertOrders(tenant: Tenant): Promise<void> {
  const people = { ann: [2, 'pro'], bob: [2, 'free'], cem: [1, 'pro'] } as const;
  for (const [userId, [orders, plan]] of Object.entries(people)) {
    await createContact(tenant.workspaceId, { userId, traits: { plan } });
    const rows = Array.from({ length: orders }, () => eventRow(tenant, { user_id: userId }));
    await insertRows('events_raw', rows);
  }
}

const preview = (page: Page) => page.getByRole('region', { name: 'People who match now' });
const members = (page: Page) => page.getByRole('table', { name: 'People in the segment' });

async function fillTwoOrders(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ordered twice');
  await page.getByRole('combobox', { name: 'Condition 1', exact: true }).click();
  await page.getByRole('option', { name: 'Order Completed' }).click();
  await preview(page).getByText('3 people').waitFor();
  await page.getByRole('textbox', { name: 'Condition 1: times at least' }).fill('2');
  await preview(page).getByText('2 people').waitFor();
}

test('a segment is created with a preview, and has its people within seconds', async () => {
  const tenant = await createTenant();
  await insertOrders(tenant);
  const page = await openAt(tenant, '/segments');
  await page.getByRole('heading', { name: 'No segments yet' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'New segment' }).first().click();
  await fillTwoOrders(page);
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await preview(page).getByText('Complete the rule to count them.').waitFor();
  await page.getByRole('combobox', { name: 'Condition 2: trait' }).fill('plan');
  await page.getByRole('combobox', { name: 'Condition 2: value' }).fill('pro');
  await preview(page).getByText('1 person').waitFor();
  await lookAt(page, 'segment-form');
  await page.getByRole('button', { name: 'Create segment' }).click();
  await page.getByRole('heading', { name: 'Ordered twice', level: 1 }).waitFor();
  await page
    .getByText('Did Order Completed at least 2 times in the last 30 days and plan is pro')
    .waitFor();
  await members(page).getByRole('link', { name: 'ann' }).waitFor();
  expect(await members(page).getByRole('link').allInnerTexts()).toEqual(['ann']);
  await lookAt(page, 'segment');
  await page.getByRole('link', { name: 'Segments' }).last().click();
  await page
    .getByRole('row', { name: /Ordered twice/ })
    .getByText('Evaluated')
    .waitFor();
  await lookAt(page, 'segments');
});

test('an owner edits a segment, and archives it', async () => {
  const tenant = await createTenant();
  await insertOrders(tenant);
  const page = await openAt(tenant, '/segments/new');
  await fillTwoOrders(page);
  await page.getByRole('button', { name: 'Create segment' }).click();
  await members(page).getByRole('link', { name: 'bob' }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Condition 1: in the last days' }).fill('');
  await page.getByText('Enter 1 to 366 days').waitFor();
  await page.getByRole('textbox', { name: 'Condition 1: in the last days' }).fill('7');
  await page.getByRole('button', { name: 'Add a filter to condition 1' }).click();
  await page.getByRole('combobox', { name: 'Condition 1, filter 1: property' }).fill('User ID');
  await page.getByRole('textbox', { name: 'Condition 1, filter 1: value' }).fill('ann');
  await preview(page).getByText('1 person').waitFor();
  await page.getByRole('button', { name: 'Edit as JSON, to nest conditions' }).click();
  await page.getByText('"user_id"').waitFor();
  await preview(page).getByText('1 person').waitFor();
  await page.getByRole('button', { name: 'Edit as a form' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Did Order Completed, User ID is ann at least 2 times').waitFor();
  await members(page).getByRole('link', { name: 'bob' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive segment' }).click();
  await page.getByText('“Ordered twice” was archived.').waitFor();
  await members(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Segments' }).last().click();
  await page.getByRole('heading', { name: 'No segments yet' }).waitFor();
  await page.getByRole('switch', { name: 'Show archived segments' }).click();
  await page
    .getByRole('row', { name: /Ordered twice/ })
    .getByText('Archived')
    .waitFor();
});

test('a change that another one has overtaken is not lost', async () => {
  const tenant = await createTenant();
  await insertOrders(tenant);
  const page = await openAt(tenant, '/segments/new');
  await fillTwoOrders(page);
  await page.getByRole('button', { name: 'Create segment' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('Mine');
  await sql(`UPDATE segments SET version = version + 1, name = 'Theirs' WHERE workspace_id = $1`, [
    tenant.workspaceId,
  ]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The segment wasn’t saved').waitFor();
  await page.getByRole('heading', { name: 'Edit “Theirs”' }).waitFor();
  await lookAt(page, 'segment-conflict');
  await page.getByRole('button', { name: /^Keep my changes/ }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
});

test('a rule that people without events could meet is explained, and members can’t edit', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/segments/new', 'member');
  await page.getByRole('button', { name: 'Create segment' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByRole('combobox', { name: 'Condition 1: how often' }).click();
  await page.getByRole('option', { name: 'Did not do' }).click();
  await page.getByText('Add an event that people did at least once').waitFor();
  await page.getByRole('button', { name: 'Add an event' }).click();
  await page.getByLabel('Name').fill('Any but one');
  await preview(page).getByText('0 people').waitFor();
  await page.getByRole('button', { name: 'Create segment' }).click();
  await page.getByRole('heading', { name: 'No one matches the rule' }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
});
