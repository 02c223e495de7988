// The timeline of a person, and the journeys that the person is in.

import { expect, test } from 'vitest';
import { uuidOf } from '../../graphql-api/platform/graph/node-id.ts';
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
import { createCampaign, createContact } from '../harness/campaign.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { reportUnavailable } from './harness/report-unavailable.ts';
import { tellJourneys } from './journeys-scene.ts';
import { ASHA, addressOf, usePeople } from './people-scene.ts';

const deps = useDeps();
const { openAt } = usePeople();

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
  await timeline.getByRole('switch', { name: 'Only before the person was identified' }).focus();
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
