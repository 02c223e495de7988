// Rejected events in a browser, from their groups to a replay: ingest, the API and ClickHouse as real
// processes.

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiProcess } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { type OutboxScene, outboxScene } from '../graphql-api/platform/warehouse/outbox-scene.ts';
import { eventText } from '../harness/batch.ts';
import { postEvents, untilKnown } from '../harness/batch-client.ts';
import { eventually } from '../harness/eventually.ts';
import type { Tenant } from '../harness/tenant.ts';
import { countEvents, rejectedEvents } from '../harness/warehouse.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const SDK = '{"library":{"name":"engagement-client","version":"0.1.0"}}';
const REJECTED = [
  eventText({ event: '"Checkout Started"', timestamp: '"yesterday"', context: SDK }),
  eventText({ event: '"Checkout Started"', timestamp: '"soon"', context: SDK, userId: '"bob"' }),
  eventText({ event: '"Order Completed"', timestamp: '"later"', userId: '"ann"' }),
  eventText({ event: '"Product Viewed"', sessionId: undefined }),
  eventText({ type: '"clicked"' }),
];

let scene: OutboxScene;
let api: ApiProcess;
const open = useConsole(useChromium());

beforeAll(async () => {
  scene = await outboxScene();
  api = await scene.startApi();
});
afterAll(() => scene?.close());

/** A tenant whose rejected events are in ClickHouse. */
async function tenantWithRejected(): Promise<Tenant> {
  const tenant = await scene.createTenant();
  await untilKnown(scene.ingest, tenant.writeKey);
  await postEvents(scene.ingest, tenant.writeKey, REJECTED);
  await rejectedEvents(tenant.workspaceId, REJECTED.length);
  return tenant;
}

async function openAs(role: 'owner' | 'member', tenant: Tenant, path: string): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: [role] });
  return open({ url: api.url, token, path });
}

function rowOf(page: Page, table: string, text: string): Locator {
  return page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const isFocused = (element: Element) => element === document.activeElement;
const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

const REASONS = 'Rejected events by reason';
const GROUPS = 'Groups of rejected events';
const SESSION_MISSING = /sessionId/;

test('rejected events are grouped, and each has a page with the position of the error', async () => {
  const page = await openAs('member', await tenantWithRejected(), '/rejected');
  await rowOf(page, REASONS, 'INVALID_TIMESTAMP').getByText('3', { exact: true }).waitFor();
  await rowOf(page, GROUPS, 'Checkout Started').getByText('engagement-client 0.1.0').waitFor();
  await page.getByText('All 5 events are grouped.').waitFor();
  await rowOf(page, REASONS, 'MISSING_FIELD').getByText(SESSION_MISSING).waitFor();
  await rowOf(page, GROUPS, 'Product Viewed').getByText(SESSION_MISSING).waitFor();
  expect(await page.getByRole('link', { name: /^Replay (?!s)/ }).count()).toBe(0);
  await lookAt(page, 'rejected');
  await page.getByRole('link', { name: 'INVALID_TIMESTAMP' }).click();
  await page.getByText('All 3 events are grouped.').waitFor();
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  await events.getByRole('link', { name: 'bob' }).waitFor();
  expect(await focused(page)).toBe('Events of one group');
  expect(await events.getByRole('row').count()).toBe(1 + 2);
  await lookAt(page, 'rejected-group');
  await page.reload();
  await events.getByRole('row').filter({ hasText: 'bob' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Checkout Started' }).waitFor();
  await page.locator('mark').getByText('"soon"').waitFor();
  await lookAt(page, 'rejected-event');
  await page.reload();
  await page.locator('mark').getByText('"soon"').waitFor();
});

test('going back leads to the same events, and to the link that was opened', async () => {
  const page = await openAs('member', await tenantWithRejected(), '/rejected');
  const ranges: string[] = [];
  page.on('request', request => {
    const range = /"range":\{[^}]*\}/.exec(request.postData() ?? '')?.[0];
    if (request.postData()?.includes('query RejectedGroups')) ranges.push(range ?? '');
  });
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  const second = events.getByRole('row').nth(2).getByRole('link').first();
  await second.click();
  await page.locator('mark').first().waitFor();
  await page.getByRole('link', { name: 'Rejected events' }).last().click();
  await expect.poll(() => second.evaluate(isFocused)).toBe(true);
  await second.click();
  await page.locator('mark').first().waitFor();
  await page.goBack();
  await expect.poll(() => second.evaluate(isFocused)).toBe(true);
  await page.getByRole('link', { name: 'All groups' }).click();
  const group = page.getByRole('link', { name: 'Checkout Started' });
  await expect.poll(() => group.evaluate(isFocused)).toBe(true);
  expect(new Set(ranges).size).toBe(1);
});

test('a custom range is kept in the address, and one that is too long is not queried', async () => {
  const tenant = await tenantWithRejected();
  const page = await openAs('member', tenant, '/rejected');
  await page.getByText('All 5 events are grouped.').waitFor();
  await page.getByText('Custom', { exact: true }).click();
  await page.waitForURL(/range=custom&from=.+&to=/);
  await page.getByLabel('From', { exact: true }).fill('2026-01-01T10:00');
  await page.getByText('Choose a start before the end, at most 31 days apart.').waitFor();
  expect(await page.getByRole('table', { name: REASONS }).count()).toBe(0);
  await page.getByLabel('To', { exact: true }).fill('2026-01-02T10:00');
  await page.getByRole('heading', { name: 'No rejected events' }).waitFor();
  await lookAt(page, 'rejected-custom');
});

test('an owner corrects events, tries that, and replays them', async () => {
  const tenant = await tenantWithRejected();
  const page = await openAs('owner', tenant, '/rejected?range=hour&code=INVALID_TIMESTAMP');
  await page.getByRole('link', { name: 'Replay all 3 events of this reason' }).click();
  const reason = page.getByRole('checkbox', { name: 'INVALID_TIMESTAMP, 3 events' });
  await reason.waitFor();
  await page.getByText(SESSION_MISSING).waitFor();
  expect(await reason.isChecked()).toBe(true);
  expect(await page.getByRole('checkbox', { name: /MISSING_FIELD/ }).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Dry run' }).click();
  const result = page.getByRole('region', { name: 'Result of the dry run' });
  await rowOf(page, 'Rejected again, by reason', 'INVALID_TIMESTAMP').waitFor();
  await page.getByText('None of these events would be accepted. Correct them first.').waitFor();
  expect(await focused(page)).toContain('Result of the dry run');
  expect(await page.getByRole('button', { name: /^Replay/ }).count()).toBe(0);
  await lookAt(page, 'rejected-dry-run');
  await page.getByRole('button', { name: 'Set timestamp to the time received' }).last().click();
  await result.waitFor({ state: 'detached' });
  expect(await page.getByRole('combobox', { name: 'Change' }).evaluate(isFocused)).toBe(true);
  expect(await page.getByLabel('Field', { exact: true }).inputValue()).toBe('timestamp');
  await page.getByRole('button', { name: 'Dry run' }).click();
  const example = rowOf(page, 'The first corrected event', 'timestamp');
  await example.getByText(/"(yesterday|soon|later)"/).waitFor();
  await example.getByText(/"20\d\d-/).waitFor();
  await page.getByRole('button', { name: 'Replay 3 events' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Completed').waitFor();
  await page.getByText('Set timestamp to the time received').waitFor();
  await page.getByText('Accepted events have their corrected times.').waitFor();
  const insights = page.getByRole('link', { name: 'in Insights' });
  expect(await insights.getAttribute('href')).not.toContain('event=');
  await lookAt(page, 'rejected-replay');
  await eventually(async () => expect(await countEvents(tenant.workspaceId)).toBe(3));
  await page.getByRole('link', { name: 'Replays' }).click();
  await rowOf(page, 'Replays', 'Completed').getByText('3 of 3').waitFor();
  await lookAt(page, 'rejected-replays');
});

test('corrections show what is missing, and one event can be replayed', async () => {
  const tenant = await tenantWithRejected();
  const page = await openAs('owner', tenant, '/rejected?code=MISSING_FIELD');
  await page.getByRole('link', { name: 'Product Viewed' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  await events.getByRole('link').first().click();
  await page.locator('mark').getByText('"sessionId"').waitFor();
  await page.getByRole('link', { name: 'Replay this event' }).click();
  await page.getByRole('region', { name: 'One event' }).getByText('Product Viewed').waitFor();
  await page.getByRole('button', { name: 'Add a correction' }).click();
  expect(await page.getByRole('combobox', { name: 'Change' }).evaluate(isFocused)).toBe(true);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('Enter a field, such as userId or properties.total.').waitFor();
  await lookAt(page, 'rejected-correction');
  await page.getByLabel('Field', { exact: true }).fill('userId');
  await page.getByLabel('Value', { exact: true }).fill('unknown');
  await page.getByLabel('Value', { exact: true }).press('Enter');
  const status = page.getByRole('status', { name: 'Result of the dry run' });
  await expect.poll(() => status.evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe('Dry run');
  await page.getByRole('button', { name: 'Set if missing · sessionId' }).last().click();
  const added = page.getByRole('group', { name: 'Correction 2' });
  expect(await added.getByLabel('Kind of value').inputValue()).toBe('New ID for each event');
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByRole('button', { name: 'Replay 1 event' }).waitFor();
  await rowOf(page, 'The first corrected event', 'sessionId').getByText('Missing').waitFor();
  await lookAt(page, 'rejected-example');
  await page.getByRole('link', { name: 'Rejected event', exact: true }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await added.getByLabel('Field').inputValue()).toBe('sessionId');
  await page.getByRole('link', { name: 'Rejected event', exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.locator('mark').getByText('"sessionId"').waitFor();
});

test('a group is replayed alone, and its events are marked once they are accepted', async () => {
  const tenant = await tenantWithRejected();
  const page = await openAs('owner', tenant, '/rejected?range=hour&code=INVALID_TIMESTAMP');
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  await page.getByText('0 of 2 events accepted since').waitFor();
  const opened = page.getByRole('region', { name: 'Events of one group' });
  const heading = opened.getByRole('heading', { name: 'Events of one group' });
  await expect.poll(() => heading.evaluate(isInView)).toBe(true);
  await opened.getByRole('link', { name: 'Replay this group (2 events)' }).click();
  const scope = page.getByRole('region', { name: 'Events of one group' });
  await scope.getByText('engagement-client 0.1.0').waitFor();
  await lookAt(page, 'rejected-replay-group');
  await page.getByRole('link', { name: 'Rejected events' }).last().click();
  await page.waitForURL(/range=hour&code=INVALID_TIMESTAMP&group=/);
  const listUrl = page.url();
  await page.getByRole('link', { name: 'Replay this group (2 events)' }).click();
  await page.getByRole('button', { name: 'Set timestamp to the time received' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByRole('button', { name: 'Replay 2 events' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('Completed').waitFor();
  await page.getByText('One group').waitFor();
  await page.locator('a[href*="/insights/trends?event=Checkout+Started"]').waitFor();
  await eventually(async () => expect(await countEvents(tenant.workspaceId)).toBe(2));
  await page.goto(listUrl);
  await page.getByText('2 of 2 events accepted since').waitFor();
  await page.getByText('Only events not accepted since').click();
  await page.getByText('All of these events were accepted since.').waitFor();
  await lookAt(page, 'rejected-group-accepted');
  await page.getByRole('link', { name: 'All groups' }).click();
  await rowOf(page, GROUPS, 'Order Completed').getByText('–').waitFor();
  await rowOf(page, GROUPS, 'Checkout Started')
    .getByRole('link', { name: /ago|now/ })
    .waitFor();
  await rowOf(page, GROUPS, 'Checkout Started').getByText('2 of 2 accepted').waitFor();
});

test('the reasons stay in their order until Refresh, while their numbers change', async () => {
  const tenant = await tenantWithRejected();
  const nextHour = new Date(Date.now() + 3_600_000).toISOString();
  const lastHour = new Date(Date.now() - 3_600_000).toISOString();
  const range = new URLSearchParams({ range: 'custom', from: lastHour, to: nextHour });
  const page = await openAs('owner', tenant, `/rejected?${range}`);
  const first = page.getByRole('table', { name: REASONS }).getByRole('link').first();
  await first.waitFor();
  expect(await first.textContent()).toBe('INVALID_TIMESTAMP');
  const unknown = Array.from({ length: 4 }, () => eventText({ type: '"clicked"' }));
  const nameless = eventText({ event: undefined });
  await postEvents(scene.ingest, tenant.writeKey, [...unknown, nameless]);
  await rejectedEvents(tenant.workspaceId, REJECTED.length + unknown.length + 1);
  await page.getByRole('link', { name: 'UNKNOWN_EVENT_TYPE' }).click();
  await rowOf(page, REASONS, 'UNKNOWN_EVENT_TYPE').getByText('5', { exact: true }).waitFor();
  expect(await first.textContent()).toBe('INVALID_TIMESTAMP');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => first.textContent()).toBe('UNKNOWN_EVENT_TYPE');
  const missing = rowOf(page, REASONS, 'MISSING_FIELD');
  await missing.getByText(/^Several causes, for example: (event|sessionId) is missing/).waitFor();
});

test('the reasons in Live lead to their events', async () => {
  const tenant = await tenantWithRejected();
  const page = await openAs('member', tenant, '/live');
  await page.getByRole('link', { name: 'Invalid timestamp' }).click();
  await page.waitForURL(/\/rejected\?range=hour&code=INVALID_TIMESTAMP/);
  await page.getByText('All 3 events are grouped.').waitFor();
});
