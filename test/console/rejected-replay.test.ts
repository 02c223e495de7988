// Rejected events in a browser: they are corrected and replayed.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventText } from '../harness/batch.ts';
import { eventually } from '../harness/eventually.ts';
import { countEvents } from '../harness/warehouse.ts';
import { PHONE_PX } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import {
  focused,
  GROUPS,
  isFocused,
  rowOf,
  SESSION_MISSING,
  useRejected,
} from './rejected-scene.ts';

const { tenantWith, openAs } = useRejected();

const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};
/** In the part of a block that can be seen without scrolling. */
const isInBlock = (element: Element) => {
  const block = element.closest('pre')!.getBoundingClientRect();
  const { top, bottom } = element.getBoundingClientRect();
  return top >= block.top && bottom <= block.bottom;
};

/** Relative to the corrections. */
const placeOfPayload = (page: Page) =>
  page.evaluate(() => {
    const [payload, corrections] = ['Payload', 'Corrections'].map(name =>
      document.querySelector(`[aria-label=${name}]`)!.getBoundingClientRect(),
    );
    if (payload!.right <= corrections!.left) return 'beside';
    return payload!.bottom <= corrections!.top ? 'above' : 'neither';
  });

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator, stopsMax: number): Promise<void> {
  for (let stops = 0; stops < stopsMax; stops++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate(isFocused)) return;
  }
  expect.fail(`Tab led to “${await focused(page)}” instead`);
}

test('an owner corrects events, tries that, and replays them', async () => {
  const tenant = await tenantWith();
  const page = await openAs('owner', tenant, '/rejected?range=hour&code=INVALID_TIMESTAMP');
  await page.getByRole('link', { name: 'Replay all 3 events of this reason' }).click();
  const reason = page.getByRole('checkbox', { name: 'INVALID_TIMESTAMP, 3 events' });
  await reason.waitFor();
  await page.getByText(SESSION_MISSING).waitFor();
  expect(await reason.isChecked()).toBe(true);
  expect(await page.getByRole('checkbox', { name: /MISSING_FIELD/ }).isChecked()).toBe(false);
  await page.locator('mark').getByText('"timestamp"').waitFor();
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
  const tenant = await tenantWith();
  const page = await openAs('owner', tenant, '/rejected?code=MISSING_FIELD');
  await page.getByRole('link', { name: 'Product Viewed' }).click();
  const events = page.getByRole('table', { name: 'Events of the group' });
  await events.getByRole('link').first().click();
  await page.locator('mark').getByText('"sessionId"').waitFor();
  await page.getByRole('link', { name: 'Replay this event' }).click();
  const event = page.getByRole('region', { name: 'One event' });
  await event.getByText('Product Viewed', { exact: true }).waitFor();
  await event.locator('mark').getByText('"sessionId"').waitFor();
  await page.getByRole('button', { name: 'Add a correction' }).click();
  expect(await page.getByRole('combobox', { name: 'Change' }).evaluate(isFocused)).toBe(true);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('Enter a field, such as userId or properties.total.').waitFor();
  const field = page.getByLabel('Field', { exact: true });
  await expect.poll(() => field.evaluate(isFocused)).toBe(true);
  await lookAt(page, 'rejected-correction');
  await field.fill('userId');
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
  const tenant = await tenantWith();
  const page = await openAs('owner', tenant, '/rejected?range=hour&code=INVALID_TIMESTAMP');
  await page.getByRole('link', { name: 'Checkout Started' }).click();
  await page.getByText('0 of 2 events accepted since').waitFor();
  const opened = page.getByRole('region', { name: 'Events of one group' });
  const heading = opened.getByRole('heading', { name: 'Events of one group' });
  await expect.poll(() => heading.evaluate(isInView)).toBe(true);
  await opened.getByRole('link', { name: 'Replay this group (2 events)' }).click();
  const scope = page.getByRole('region', { name: 'Events of one group' });
  await scope.getByText('engagement-client 0.1.0').waitFor();
  await scope
    .locator('mark')
    .getByText(/"(yesterday|soon)"/)
    .waitFor();
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

test('a group is corrected and replayed with the keyboard alone', async () => {
  const page = await openAs('owner', await tenantWith(), '/people');
  await page.getByRole('link', { name: 'Rejected events' }).focus();
  await page.keyboard.press('Enter');
  const group = page.getByRole('link', { name: 'Checkout Started' });
  await group.waitFor();
  expect(await focused(page)).toBe('Rejected events');
  await tabTo(page, group, 9);
  await page.keyboard.press('Enter');
  const replay = page.getByRole('link', { name: 'Replay this group (2 events)' });
  await replay.waitFor();
  expect(await focused(page)).toBe('Events of one group');
  await tabTo(page, replay, 1);
  await page.keyboard.press('Enter');
  const payload = page.getByRole('region', { name: 'Payload' });
  await payload.waitFor();
  expect(await focused(page)).toBe('Replay rejected events');
  await tabTo(page, payload, 1);
  await tabTo(page, page.getByRole('button', { name: 'Set timestamp to the time received' }), 3);
  await page.keyboard.press('Enter');
  const change = page.getByRole('combobox', { name: 'Change' });
  await expect.poll(() => change.evaluate(isFocused)).toBe(true);
  await tabTo(page, page.getByRole('button', { name: 'Dry run' }), 5);
  await page.keyboard.press('Enter');
  const result = page.getByRole('status', { name: 'Result of the dry run' });
  await expect.poll(() => result.evaluate(isFocused)).toBe(true);
  await tabTo(page, page.getByRole('button', { name: 'Replay 2 events' }), 1);
  await page.keyboard.press('Enter');
  const start = page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true });
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
  await expect.poll(() => cancel.evaluate(isFocused)).toBe(true);
  await tabTo(page, start, 1);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Completed').waitFor();
  expect(await focused(page)).toBe('Replay');
  await tabTo(page, page.getByRole('link', { name: 'in Insights' }), 1);
});

test('a long event scrolls to its error within itself, above or beside the corrections', async () => {
  const texts = Array.from({ length: 80 }, (_, number) => `"field_${number}":"text"`);
  const properties = `{${texts.join()}}`;
  const tenant = await tenantWith([eventText({ properties, userId: '7' })]);
  const page = await openAs('owner', tenant, '/rejected');
  await page.getByRole('link', { name: 'Order Completed' }).click();
  await page.getByRole('link', { name: 'Replay this group (1 event)' }).click();
  const mark = page.locator('mark').getByText('"userId"');
  await expect.poll(() => mark.evaluate(isInBlock)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => placeOfPayload(page)).toBe('beside');
  await page.setViewportSize({ width: PHONE_PX, height: 900 });
  await expect.poll(() => placeOfPayload(page)).toBe('above');
  await lookAt(page, 'rejected-replay-long');
});
