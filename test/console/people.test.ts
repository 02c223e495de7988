import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NO_CONSENT_NEEDED } from '../../console/pieces/consent-words.ts';
import { encodeNodeId, uuidOf } from '../../graphql-api/platform/graph/node-id.ts';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { useDeps } from '../graphql-api/harness/deps.ts';
import {
  cardRow,
  deliveryRow,
  eventRow,
  inAppRow,
  insertRows,
  responseRow,
  sendRow,
} from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createCampaign, createContact } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { reportUnavailable } from './harness/report-unavailable.ts';
import { tellJourneys } from './journeys-scene.ts';

const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const deps = useDeps();
const open = useConsole(useChromium());

/** With characters that mean something in an address. */
const ASHA = 'asha/rao?#50%25 é';

async function openAt(
  tenant: Tenant,
  path: string,
  role: 'owner' | 'member' = 'owner',
  mayFail?: RegExp,
): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return open({ url: api().url, token, path, ...(mayFail && { mayFail }) });
}

function addressOf(userId: string): string {
  return `/people/${encodeURIComponent(userId)}`;
}

async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name }).click();
}

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

test('a timeline has all that a person did and received, and goes back in time', async () => {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, { name: 'Winter sale' });
  const { contactId } = await createContact(tenant.workspaceId, { userId: ASHA });
  await sql(`UPDATE contacts SET anonymous_id = 'visitor-1' WHERE id = $1`, [contactId]);
  await insertTimeline(tenant, campaignId);
  const page = await openAt(tenant, addressOf(ASHA));
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
  const opener = timeline.getByRole('button', { name: 'Order completed' });
  await opener.waitFor();
  for (const title of ['Push shown', 'Push clicked', 'Campaign shown', 'NPS survey answered'])
    await timeline.getByRole('button', { name: title }).waitFor();
  expect(await timeline.getByText('message m-8').count()).toBe(1);
  await timeline.getByText('score 9').waitFor();
  await timeline.getByText('message m-7 · web').waitFor();
  await timeline.getByRole('link', { name: 'Winter sale' }).first().waitFor();
  await opener.focus();
  await page.keyboard.press('Enter');
  await timeline.getByRole('region', { name: 'Details of Order completed' }).waitFor();
  await timeline.getByText('"order_id"').waitFor();
  await lookAt(page, 'person');
  await timeline.getByRole('switch', { name: 'Before the person was identified' }).focus();
  await page.keyboard.press('Space');
  await timeline.getByRole('button', { name: 'Page viewed: Pricing' }).waitFor();
  await page.keyboard.press('Space');
  await opener.waitFor();
  await timeline.getByRole('button', { name: 'Earlier' }).click();
  await timeline.getByRole('button', { name: 'Cart viewed' }).waitFor();
  expect(await opener.count()).toBe(0);
  await page.reload();
  await timeline.getByRole('button', { name: 'Cart viewed' }).waitFor();
  await timeline.getByRole('button', { name: 'Later' }).click();
  await opener.waitFor();
});

test('a timeline that is loading says so, not that nothing happened', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  const page = await openAt(tenant, addressOf('asha'));
  await page.getByText('No activity in this period').waitFor();
  const released = Promise.withResolvers<void>();
  await page.route('**/graphql', async route => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Events' }).click();
  await page.getByText('Loading the timeline…').waitFor();
  expect(await page.getByText(/in this period/).count()).toBe(0);
  released.resolve();
  await page.getByText('No events in this period').waitFor();
});

test('a timeline that is not available stays so until the page has retried by itself', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  const released = Promise.withResolvers<void>();
  let asked = 0;
  const page = await openAt(tenant, '/');
  await page.route('**/graphql', async route => {
    if (!route.request().postData()?.includes('query UserTimeline')) return route.continue();
    asked++;
    if (asked === 1) return route.fulfill({ json: reportUnavailable('userTimeline') });
    await released.promise;
    return route.continue();
  });
  await page.goto(`/console${addressOf('asha')}`);
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
  const alert = timeline.getByRole('alert');
  await alert.getByText('No data is lost; the page retries by itself.').waitFor();
  await expect.poll(() => asked).toBe(2);
  await alert.getByText('Trying again…').waitFor();
  await lookAt(page, 'person-timeline-unavailable');
  released.resolve();
  await timeline.getByText('No activity in this period').waitFor();
  expect(await alert.count()).toBe(0);
});

const DAY_MS = 86_400_000;

/** One of each kind now, and one event of ten days ago. */
async function insertTimeline(tenant: Tenant, campaignId: string): Promise<void> {
  const person = { user_id: ASHA };
  const inApp = { ...person, campaign_id: campaignId };
  const properties = '{"order_id":"o-1"}';
  await insertRows('events_raw', [
    eventRow(tenant, { ...person, event: 'Order completed', properties }),
    eventRow(tenant, { type: 'page', event: '', name: 'Pricing', anonymous_id: 'visitor-1' }),
    eventRow(tenant, {
      ...person,
      event: 'Cart viewed',
      timestamp: new Date(Date.now() - 10 * DAY_MS).toISOString(),
    }),
  ]);
  await insertRows('in_app_events_raw', [inAppRow(tenant, inApp)]);
  await insertRows('in_app_responses_raw', [responseRow(tenant, { ...inApp, score: 9 })]);
  await insertRows('deliveries_raw', [deliveryRow(tenant, { ...person, message_id: 'm-7' })]);
  const received_at = new Date(Date.now() - DAY_MS).toISOString();
  const clicked = { ...person, message_id: 'm-8', received_at };
  await insertRows('deliveries_raw', [deliveryRow(tenant, { ...clicked, status: 'clicked' })]);
  await insertRows('activity_cards_raw', [cardRow(tenant, clicked)]);
}

test('a person’s journeys are listed, and the messages that they sent are found among many events', async () => {
  const { tenant, welcomeId, path } = await tellJourneys(deps());
  const [version] = (await sql(
    'SELECT id FROM template_versions WHERE template_id = $1 AND number = 1',
    [welcomeId],
  )) as { id: string }[];
  const sent = {
    user_id: 'asha',
    journey_id: uuidOf('Journey', path.split('/').at(-1)!),
    template_id: welcomeId,
    version_id: version!.id,
    sent_at: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  };
  await insertRows('send_audits_raw', [sendRow(tenant, sent)]);
  const page = await openAt(tenant, addressOf('asha'));
  const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
  const message = timeline.getByRole('button', { name: 'Email sent: Welcome' });
  await message.waitFor();
  await timeline.getByText('End of the list').waitFor();
  const events = Array.from({ length: 140 }, () => eventRow(tenant, { user_id: 'asha' }));
  await insertRows('events_raw', events);
  await timeline.getByRole('button', { name: 'Refresh' }).click();
  const more = timeline.getByRole('button', { name: 'Show more' });
  await more.click();
  const ordered = timeline.getByRole('button', { name: 'Order Completed' });
  await ordered.nth(64).waitFor();
  expect(await ordered.count()).toBe(65);
  await more.click();
  await ordered.nth(104).waitFor();
  expect(await ordered.count()).toBe(105);
  expect(await message.count()).toBe(0);
  await more.click();
  await message.waitFor();
  await timeline.getByText('End of the list').waitFor();
  await page.getByRole('heading', { name: 'asha', level: 1 }).click();
  await page.keyboard.press('/');
  const kind = timeline.getByRole('combobox', { name: 'Kind' });
  expect(await kind.evaluate(input => input === document.activeElement)).toBe(true);
  await kind.click();
  await page
    .getByRole('option', { name: 'Received: messages, campaigns, widgets, pushes' })
    .click();
  await ordered.first().waitFor({ state: 'detached' });
  await message.click();
  await timeline
    .getByRole('region', { name: 'Details of Email sent' })
    .getByText('English')
    .waitFor();
  await lookAt(page, 'person-messages');
  await page.reload();
  await message.waitFor();
  await timeline.getByRole('button', { name: 'Earlier' }).click();
  await timeline
    .getByRole('heading', { name: 'No messages, campaigns, widgets or pushes in this period' })
    .waitFor();
  await timeline.getByRole('button', { name: 'Show earlier' }).press('Enter');
  const earlier = timeline.getByRole('button', { name: 'Earlier', exact: true });
  await expect.poll(() => earlier.evaluate(button => button === document.activeElement)).toBe(true);
  const journeys = page.getByRole('region', { name: 'Journeys' });
  await journeys.getByText('Reminder v1, Welcome v1').waitFor();
  await journeys.getByText('Waiting').or(journeys.getByText('Ready')).waitFor();
  await journeys.getByRole('link', { name: 'Onboarding' }).click();
  await page.getByRole('button', { name: 'Remove asha' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from the journey' }).click();
  await page.getByText('asha was removed from the journey.').waitFor();
  await page.goBack();
  await journeys.getByText('Exited').waitFor();
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

test('an owner exports the data of a person, then erases the person', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  await insertRows('events_raw', [eventRow(tenant, { user_id: 'asha' })]);
  const page = await openAt(tenant, addressOf('asha'));
  await page.getByRole('button', { name: 'Order Completed' }).waitFor();
  await chooseAction(page, 'Export personal data');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/rows are stored, in/).waitFor();
  await lookAt(page, 'person-export');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain('Order Completed');
  expect(file.trim().split('\n').at(-1)).toContain('"complete":true');

  await chooseAction(page, 'Suppress');
  await dialog.getByRole('button', { name: 'Suppress' }).click();
  await page.getByText('Receives no journey messages').waitFor();
  await chooseAction(page, 'Erase this person');
  const button = dialog.getByRole('button', { name: 'Erase this person' });
  await button.waitFor();
  await dialog.getByText(/rows are stored, in/).waitFor();
  await dialog.getByText('in 4 tables: contact').waitFor();
  await dialog.getByText(/^3 rows will be deleted, and values removed from 1 in/).waitFor();
  await dialog.getByText(/Payments and their records, .* deals of partners are kept/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await chooseAction(page, 'Erase this person');
  await dialog.getByRole('button', { name: 'Copy user ID' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('asha');
  await dialog.getByText(/rows are stored, in/).waitFor();
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByLabel('To confirm, type asha').fill('asha');
  await lookAt(page, 'person-erase');
  await button.click();
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
  expect(await page.getByRole('button', { name: 'Order Completed' }).count()).toBe(0);
  await page.getByText('asha was erased').waitFor();
  await page.getByText(/^Everything that was stored .* is checked for and deleted until/).waitFor();
  await lookAt(page, 'person-erased');
  await page.reload();
  await page.getByText('asha was erased').waitFor();
  await lookAt(page, 'person-erased-before');
  await eventually(async () => {
    const rows = await sql('SELECT user_id FROM contacts WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(rows).toEqual([]);
  });
  await page.goto(`${api().url}/console/people?search=asha`);
  await page.getByText('asha was erased').waitFor();
  expect(await page.getByRole('link', { name: /^Show the timeline/ }).count()).toBe(0);
  await lookAt(page, 'people-erased');
  await page.getByRole('link', { name: 'Receipt of the erasure' }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt of the erasure' });
  const rows = receipt.getByRole('table', { name: 'Rows by table' }).getByRole('row');
  await rows
    .filter({ hasText: /^Contact/ })
    .getByText('Deleted', { exact: true })
    .waitFor();
  await receipt.getByText(/^\d+ deleted, values removed from \d+$/).waitFor();
  await receipt.getByText('Events that were accepted before the deletion').waitFor();
  await receipt.getByText(/^Next: .+\. Last: .+, if it finds no rows$/).waitFor();
  await receipt.getByText('An erasure doesn’t search this data.').waitFor();
  await lookAt(page, 'receipt');
  await page.keyboard.press('Escape');
  await receipt.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('table', { name: 'Erasures' }).getByRole('button').first().waitFor();
});

test('the open receipt of an erasure that is under way is refreshed', async () => {
  const tenant = await createTenant();
  const id = randomUUID();
  const setTo = (state: string, erasedAt: Date | null, left: number | null) =>
    sql(`UPDATE person_erasures SET state = $2, erased_at = $3, receipt = $4 WHERE id = $1`, [
      id,
      state,
      erasedAt,
      JSON.stringify([{ ...CONTACTS, left }]),
    ]);
  await sql(
    `INSERT INTO person_erasures
       (id, workspace_id, actor_id, digest, name_hashes, device_hashes, late_days, next_pass_at)
     VALUES ($1, $2, 'owner', $3, '{}', '{}', 0, now() + interval '1 day')`,
    [id, tenant.workspaceId, 'ab'.repeat(32)],
  );
  await setTo('RUNNING', null, null);
  const page = await openAt(
    tenant,
    `/settings/privacy?erasure=${encodeURIComponent(encodeNodeId('PersonErasure', id))}`,
  );
  const receipt = page.getByRole('dialog', { name: 'Receipt of the erasure' });
  await receipt.getByText('Last: about 45 minutes after the deletion').waitFor();
  const row = receipt.getByRole('row').filter({ hasText: 'Contact' });
  await row.getByText('To delete', { exact: true }).waitFor();
  await setTo('SETTLING', new Date(), 0);
  await row.getByText('Deleted', { exact: true }).waitFor();
  await receipt.getByText(/^Last: .+, if it finds no rows$/).waitFor();
  await setTo('WATCHING', new Date(), 0);
  await sql('UPDATE person_erasures SET late_days = 2 WHERE id = $1', [id]);
  await page.reload();
  await receipt.getByText('A check deletes these events once a day, for 2 days.').waitFor();
});

const CONTACTS = {
  engine: 'POSTGRES',
  table: 'contacts',
  outcome: 'DELETED',
  before: 1,
  later: 0,
  reason: null,
};

test('a person can be erased while their rows are still counted', async () => {
  const { page, dialog, held } = await openErase();
  await dialog.getByText('Finding the IDs of this person').waitFor();
  const field = dialog.getByLabel('To confirm, type asha');
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true);
  await page.keyboard.type('asha');
  await page.keyboard.press('Enter');
  const button = dialog.getByRole('button', { name: 'Erase this person' });
  expect(await button.isDisabled()).toBe(true);
  held.found.resolve();
  await dialog.getByText('Counting the rows… You don’t have to wait').waitFor();
  expect(await field.inputValue()).toBe('asha');
  await lookAt(page, 'person-erase-counting');
  await page.keyboard.press('Enter');
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
  held.counted.resolve('answered');
});

test('a person can be erased although their rows can’t be counted', async () => {
  const { page, dialog, held } = await openErase();
  held.found.resolve();
  held.counted.resolve('lost');
  await dialog.getByText('Couldn’t count the rows.').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).waitFor();
  await dialog.getByLabel('To confirm, type asha').fill('asha');
  await lookAt(page, 'person-erase-uncounted');
  await dialog.getByRole('button', { name: 'Erase this person' }).click();
  await page.getByText(/^asha (is being|was) erased$/).waitFor();
});

/** The dialog of a new person, whose two queries wait until the promises are settled. */
async function openErase() {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha' });
  const page = await openAt(tenant, addressOf('asha'), 'owner', /ERR_FAILED/);
  const held = {
    found: Promise.withResolvers<void>(),
    counted: Promise.withResolvers<'answered' | 'lost'>(),
  };
  await page.route('**/graphql', async route => {
    const query = route.request().postData() ?? '';
    if (query.includes('query PersonFootprint')) await held.found.promise;
    const isLost = query.includes('query PersonRows') && (await held.counted.promise) === 'lost';
    await (isLost ? route.abort() : route.continue());
  });
  await chooseAction(page, 'Erase this person');
  return { page, dialog: page.getByRole('dialog'), held };
}

test('a member sees people, and is offered no change', async () => {
  const tenant = await createTenant();
  await createContact(tenant.workspaceId, { userId: 'asha', consents: { marketing: 'GRANTED' } });
  const page = await openAt(tenant, addressOf('asha'), 'member');
  await page.getByRole('region', { name: 'Consents' }).getByText('Granted').waitFor();
  expect(await page.getByRole('switch').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Record consent' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
});
