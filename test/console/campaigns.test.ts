import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { inAppRow, insertRows } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { type CampaignOptions, createCampaign, createContact } from '../harness/campaign.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

async function openAt(
  tenant: Tenant,
  path: string,
  role: 'owner' | 'member' = 'owner',
): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return open({ url: api().url, token, path });
}

const SALE: CampaignOptions = {
  name: 'Winter sale',
  type: 'modal',
  surfaces: ['storefront'],
  content: { title: 'Winter sale', action_url: 'https://shop.example/winter' },
  priority: 10,
  audience: { and: [{ trait: 'plan', operator: 'eq', value: 'pro' }] },
  totalMax: 3,
  variants: [
    { id: 'calm', weight: 1, content: { title: '20 % off, until January', text: 'No rush.' } },
    { id: 'loud', weight: 1, content: { title: 'Today only: 20% off!' } },
  ],
};

function addressOf(campaignId: string): string {
  return `/campaigns/${encodeNodeId('Campaign', campaignId)}`;
}

test('lists them, and finds them by name and status, which the address keeps', async () => {
  const tenant = await createTenant();
  await createCampaign(tenant.workspaceId, SALE);
  await createCampaign(tenant.workspaceId, { name: 'Opening hours', status: 'DRAFT' });
  await createCampaign(tenant.workspaceId, { name: 'Summer sale', status: 'ARCHIVED' });
  const page = await openAt(tenant, '/campaigns');
  await page.getByRole('row').filter({ hasText: 'plan is pro' }).getByText('Live').waitFor();
  await lookAt(page, 'campaigns');
  await page.getByRole('textbox', { name: 'Search by name' }).fill('sale');
  await page.waitForURL(/search=sale/);
  await page.getByRole('row').filter({ hasText: 'Opening hours' }).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Archived' }).click();
  await page.getByRole('row').filter({ hasText: 'Winter sale' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Summer sale' }).click();
  await page.getByRole('heading', { name: 'Summer sale', level: 1 }).waitFor();
});

test('shows how its variants do, and whether a person would see it', async () => {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, {
    ...SALE,
    consentPurpose: 'service',
  });
  const { userId } = await createContact(tenant.workspaceId, { traits: { plan: 'pro' } });
  await insertRows('in_app_events_raw', reportsOf(tenant, campaignId));
  const page = await openAt(tenant, addressOf(campaignId));
  const row = page.getByRole('table', { name: 'Variants' }).getByRole('row', { name: /loud/ });
  await row.getByText('20%').waitFor();
  await page.getByText('1 of 1 contacts').waitFor();
  await page.getByLabel('User ID').fill(userId);
  await page.getByRole('button', { name: 'Look' }).click();
  await page.getByText(/It is number 1 of 1 that they see, in the variant/).waitFor();
  await lookAt(page, 'campaign');
  await page.getByLabel('User ID').fill('somebody else');
  await page.getByRole('button', { name: 'Look' }).click();
  await page.getByText('Not in audience').waitFor();
});

/** 10 impressions per variant over two days; `calm` has three clicks, `loud` has two. */
function reportsOf(tenant: Tenant, campaignId: string) {
  const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const sides = [
    { variant_id: 'calm', clicks: 3 },
    { variant_id: 'loud', clicks: 2 },
  ];
  return sides.flatMap(({ variant_id, clicks }) => {
    const of = { campaign_id: campaignId, variant_id };
    const seen = Array.from({ length: 10 }, (_, at) =>
      inAppRow(tenant, { ...of, user_id: `user-${at}`, ...(at < 4 && { received_at: yesterday }) }),
    );
    const clicked = Array.from({ length: clicks }, () =>
      inAppRow(tenant, { ...of, event_type: 'clicked' }),
    );
    return [...seen, ...clicked];
  });
}

test('a draft is made, changed, launched and paused', async () => {
  const tenant = await createTenant();
  const page = await openAt(tenant, '/campaigns');
  await page.getByRole('heading', { name: 'No campaign yet' }).waitFor();
  await page.getByRole('link', { name: 'New campaign' }).click();
  await page.getByLabel('Name').fill('Opening hours');
  await page.getByText('JSON', { exact: true }).click();
  const json = page.getByRole('textbox', { name: 'Content as JSON' });
  await json.fill('{"title": "Open on Sundays"');
  await page.getByText(/Not valid JSON/).waitFor();
  await lookAt(page, 'campaign-new');
  expect(await page.getByRole('button', { name: 'Create the draft' }).isDisabled()).toBe(true);
  await json.fill('{"title": "Open on Sundays"}');
  await page.getByText('Fields', { exact: true }).click();
  const title = page.getByRole('textbox', { name: 'Title or question' });
  expect(await title.inputValue()).toBe('Open on Sundays');
  await page.getByRole('button', { name: 'Create the draft' }).click();
  await page.getByRole('heading', { name: 'Opening hours', level: 1 }).waitFor();
  await page.getByText('Draft', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Add a trait' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: trait' }).fill('plan');
  await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('pro');
  await page.getByRole('button', { name: 'Edit as JSON, to nest conditions' }).click();
  const audience = page.getByRole('textbox', { name: 'Audience as JSON' });
  await audience.fill('{"trait": "plan", "operator": "like", "value": "pro"}');
  await page.getByText('The audience or the consent can’t be used yet.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Check the conditions/).waitFor();
  await audience.fill('{"trait": "plan", "operator": "eq", "value": "pro"}');
  await page.getByRole('button', { name: 'Edit as a form' }).click();
  await page.getByRole('combobox', { name: 'Condition 1: comparison' }).click();
  await page.getByRole('option', { name: 'is not', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('plan is not pro').waitFor();
  await page.getByRole('button', { name: 'Launch' }).click();
  const launch = page.getByRole('dialog').getByRole('button', { name: 'Launch the campaign' });
  await launch.waitFor();
  await page.goBack();
  await launch.waitFor({ state: 'detached' });
  await page.goForward();
  await page.getByRole('button', { name: 'Launch' }).click();
  await launch.click();
  await page.getByText('Live', { exact: true }).nth(1).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause the campaign' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
});

test('a refused launch says what is wrong in words of the form, and leads to the field', async () => {
  const tenant = await createTenant();
  const yesterday = new Date(Date.now() - 86_400_000);
  const options = { name: 'Too late', status: 'DRAFT', endsAt: yesterday } as const;
  const page = await openAt(tenant, addressOf(await createCampaign(tenant.workspaceId, options)));
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Launch the campaign' }).click();
  const refused = page.getByRole('alert').filter({ hasText: 'The campaign wasn’t launched' });
  await refused.getByText('The content is missing').waitFor();
  await refused.getByRole('link', { name: 'Content' }).waitFor();
  await lookAt(page, 'campaign-not-launched');
  await refused.getByRole('link', { name: 'Until' }).click();
  await page.getByText('Enter a time after the start and after now.').waitFor();
  const field = page.getByLabel('Until');
  expect(await field.evaluate(input => input === document.activeElement)).toBe(true);
});

const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });

test('an edit does not overwrite a concurrent change by another user', async () => {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, { ...SALE, status: 'DRAFT' });
  const page = await openAt(tenant, `${addressOf(campaignId)}/edit`);
  await nameOf(page).waitFor();
  const other = await openAt(tenant, `${addressOf(campaignId)}/edit`);
  await nameOf(other).fill('Renamed');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
  await nameOf(page).fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText(/changed by another request/)
    .waitFor();
});

test('a member cannot launch campaigns, but can duplicate live ones', async () => {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, SALE);
  const page = await openAt(tenant, addressOf(campaignId), 'member');
  await page.getByRole('heading', { name: 'Winter sale', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  const duplicate = page.getByRole('menuitem', { name: 'Duplicate' });
  await duplicate.waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  await duplicate.click();
  await page.getByRole('heading', { name: 'Copy of Winter sale', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
});

test('an owner archives a campaign, and previews all campaigns for a person', async () => {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, SALE);
  await createCampaign(tenant.workspaceId, { name: 'Opening hours' });
  const page = await openAt(tenant, '/campaigns/preview?user=somebody');
  await page.getByText('Shown', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Winter sale' }).click();
  await page.waitForURL(`**${addressOf(campaignId)}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive the campaign' }).click();
  await page.getByText('Archived', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
});
