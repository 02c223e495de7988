// Every type of campaign, shown in a browser from a real response of ingest: the violations
// that axe finds, operation with the keyboard, and the stored rows.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { untilShown } from '../../harness/active.ts';
import { createCampaign } from '../../harness/campaign.ts';
import { storedRows } from '../../harness/in-app.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { type Opening, useShopPage } from './harness/in-app-scene.ts';
import { lookAtMessage } from './harness/look-at-message.ts';

const ingest = useSharedIngest();
const open = useShopPage(ingest);

const USER = 'user-1';
const HOUR_MS = 3_600_000;

/** What a person does with each kind, and the payload of the response that it makes. */
const SURVEYS: readonly {
  type: string;
  content: Readonly<Record<string, unknown>>;
  answer: (page: Page) => Promise<void>;
  payload: Readonly<Record<string, unknown>>;
}[] = [
  {
    type: 'nps',
    content: {
      question: 'Would you recommend us?',
      low_label: 'Not at all',
      high_label: 'Certainly',
      comment_label: 'Why?',
    },
    async answer(page) {
      await page.getByRole('radio', { name: '7', exact: true }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.getByLabel('Why?').fill('Quick and friendly.');
      await press(page, 'Send');
    },
    payload: { score: 9, comment: 'Quick and friendly.' },
  },
  {
    type: 'rating',
    content: { title: 'How was your order?' },
    async answer(page) {
      await page.getByRole('radio', { name: '3 of 5' }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowRight');
      await press(page, 'Send');
    },
    payload: { rating: 4, score: 4 },
  },
  {
    type: 'poll',
    content: {
      question: 'What next?',
      options: [
        { id: 'a', label: 'Tea' },
        { id: 'b', label: 'Coffee' },
      ],
    },
    async answer(page) {
      await page.getByRole('radio', { name: 'Coffee' }).focus();
      await page.keyboard.press('Space');
      await press(page, 'Send');
    },
    payload: { option_id: 'b', option: 'Coffee' },
  },
  {
    type: 'quiz',
    content: {
      title: 'Tea quiz',
      pass_score: 1,
      questions: [
        {
          id: 'q1',
          question: 'Green tea is',
          options: [
            { id: 'x', label: 'fermented' },
            { id: 'y', label: 'not fermented', correct: true },
          ],
        },
        { id: 'q2', question: 'Tea comes from', options: ['India', 'Iceland'], correct: 0 },
      ],
    },
    async answer(page) {
      await page.getByRole('radio', { name: 'not fermented' }).focus();
      await page.keyboard.press('Space');
      await press(page, 'Next');
      await page.getByRole('radio', { name: 'Iceland' }).focus();
      await page.keyboard.press('Space');
      await press(page, 'Send');
      await page.getByText('Thank you. 1 of 2').waitFor();
    },
    payload: { answers: { q1: 'y', q2: 'Iceland' }, score: 1, passed: true },
  },
  {
    type: 'form',
    content: {
      title: 'Stay in touch',
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'size', label: 'Size', type: 'select', options: ['S', 'M'] },
        { name: 'agree', label: 'I agree', type: 'checkbox' },
      ],
    },
    async answer(page) {
      await press(page, 'Send');
      await page.getByRole('alert').filter({ hasText: /fill/ }).waitFor();
      const email = page.getByRole('textbox', { name: 'E-mail' });
      expect(await email.evaluate(input => input.matches(':focus'))).toBe(true);
      await email.fill('ada@shop.example');
      await page.getByRole('combobox', { name: 'Size' }).selectOption('M');
      await page.getByRole('checkbox', { name: 'I agree' }).focus();
      await page.keyboard.press('Space');
      await press(page, 'Send');
    },
    payload: { fields: { email: 'ada@shop.example', size: 'M', agree: true } },
  },
  {
    type: 'countdown',
    content: {
      title: 'Sale ends in',
      ends_at: new Date(Date.now() + HOUR_MS).toISOString(),
      action_label: 'Shop now',
    },
    async answer(page) {
      await page
        .getByRole('timer')
        .filter({ hasText: /^0[01]:\d\d:\d\d$/ })
        .waitFor();
      await press(page, 'Shop now');
    },
    payload: { completed: false, action: 'clicked' },
  },
];

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

/** A tenant with one campaign, and a page that shows it. */
async function showing(
  type: string,
  content: Readonly<Record<string, unknown>>,
  opening: Partial<Opening> = {},
): Promise<{ tenant: Tenant; campaignId: string; page: Page }> {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, { type, content });
  await untilShown(ingest(), tenant, [campaignId]);
  const page = await open({ tenant, userId: USER, ...opening });
  return { tenant, campaignId, page };
}

/** The types of the two events of a display, sorted. */
async function storedEvents({ workspaceId }: Tenant): Promise<string[]> {
  const events = await storedRows('in_app_events', workspaceId, 2);
  return events.map(({ event_type }) => String(event_type)).sort((a, b) => a.localeCompare(b));
}

test.for(SURVEYS)('$type is shown, answered with the keyboard and stored once', async survey => {
  const { type, content, answer, payload } = survey;
  const { tenant, campaignId, page } = await showing(type, content);
  await page
    .getByText(String(content.title ?? content.question))
    .last()
    .waitFor();
  await lookAtMessage(page, type);
  await answer(page);
  const [response] = await storedRows('in_app_responses', tenant.workspaceId, 1);
  expect(response).toMatchObject({ campaign_id: campaignId, response_type: type, user_id: USER });
  expect(JSON.parse(String(response!.payload))).toEqual(payload);
  expect(await storedEvents(tenant)).toEqual(['clicked', 'impression']);
  expect(await page.evaluate('test.errors')).toEqual([]);
});

const MESSAGES = ['banner', 'modal', 'fullscreen', 'slide_up', 'tooltip'];

test.for(MESSAGES)('%s is shown, and Escape dismisses it and returns the focus', async type => {
  const content = {
    title: 'Winter sale',
    text: '20 % off, until January.',
    action_url: '/sale',
    anchor: '#cart',
  };
  const { tenant, page } = await showing(type, content, {
    prepare: async page => {
      await page.addInitScript(
        `addEventListener('load', () => document.querySelector('#cart').focus())`,
      );
    },
  });
  const link = page.getByRole('link', { name: 'Open' });
  await link.waitFor();
  await lookAtMessage(page, type);
  expect(await link.getAttribute('rel')).toBe('noopener');
  await link.focus();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.id')).toBe('cart');
  expect(await storedEvents(tenant)).toEqual(['dismissed', 'impression']);
});

test('a dialog keeps the focus inside', async () => {
  const { page } = await showing('modal', { title: 'Sale', action_url: '/sale' });
  await page.getByRole('dialog', { name: 'Sale' }).waitFor();
  const visited = [];
  for (let presses = 0; presses < 6; presses += 1) {
    await page.keyboard.press('Tab');
    visited.push(await page.evaluate(`document.activeElement.id`));
  }
  expect(visited).not.toContain('cart');
});

test('a question without an answer is not sent: an error is announced', async () => {
  const { page } = await showing('poll', { question: 'What next?', options: ['Tea', 'Coffee'] });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').filter({ hasText: 'Please choose an answer.' }).waitFor();
  await page.getByRole('radio', { name: 'Tea' }).and(page.locator(':focus')).waitFor();
  await lookAtMessage(page, 'poll-error');
});

test('several answers of a poll are sent together', async () => {
  const content = { question: 'What next?', options: ['Tea', 'Coffee', 'Milk'], multiple: true };
  const { tenant, page } = await showing('poll', content);
  await page.getByRole('checkbox', { name: 'Tea' }).check();
  await page.getByRole('checkbox', { name: 'Milk' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  const [response] = await storedRows('in_app_responses', tenant.workspaceId, 1);
  expect(JSON.parse(String(response!.payload))).toEqual({ option_ids: ['Tea', 'Milk'] });
});

test('an expired countdown is a response, and its message stays until it is closed', async () => {
  const content = {
    title: 'Sale ends in',
    ends_at: new Date(Date.now() + HOUR_MS).toISOString(),
    ended_text: 'The sale is over.',
  };
  const { tenant, page } = await showing('countdown', content, {
    prepare: page => page.clock.install(),
  });
  await page.getByRole('timer').waitFor();
  await page.clock.fastForward(HOUR_MS);
  await page.getByText('The sale is over.').waitFor();
  await page.clock.resume();
  const [response] = await storedRows('in_app_responses', tenant.workspaceId, 1);
  expect(JSON.parse(String(response!.payload))).toEqual({ completed: true });
});

test('from right to left, the button that closes is on the left', async () => {
  const { page } = await showing('banner', { title: 'مرحبا' }, { direction: 'rtl' });
  const close = page.getByRole('button', { name: 'Close' });
  await lookAtMessage(page, 'banner-rtl');
  const [button, title] = [
    await close.boundingBox(),
    await page.getByText('مرحبا').last().boundingBox(),
  ];
  expect(button!.x).toBeLessThan(title!.x + title!.width / 2);
});
