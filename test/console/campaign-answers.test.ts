// The answers of campaigns that ask something.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { insertRows, type Row, responseRow } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { type CampaignOptions, createCampaign } from '../harness/campaign.ts';
import { createTenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

type Told = { readonly payload: object; readonly fields?: Row };

/** Opens the page of a campaign with these responses. */
async function openAnswered(campaign: CampaignOptions, told: readonly Told[]): Promise<Page> {
  const tenant = await createTenant();
  const campaignId = await createCampaign(tenant.workspaceId, campaign);
  const rows = told.map(({ payload, fields }) =>
    responseRow(tenant, {
      campaign_id: campaignId,
      response_type: campaign.type,
      payload: JSON.stringify(payload),
      score_text: `${(payload as { score?: number }).score ?? ''}`,
      ...fields,
    }),
  );
  if (rows.length > 0) await insertRows('in_app_responses_raw', rows);
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const path = `/campaigns/${encodeNodeId('Campaign', campaignId)}`;
  return open({ url: api().url, token, path });
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const answersOf = (page: Page) => page.getByRole('region', { name: 'Answers', exact: true });
const NPS = {
  name: 'How likely?',
  type: 'nps',
  content: { title: 'How likely are you to recommend us?', comment_label: 'Why?' },
};

test('an NPS campaign shows its score, its parts, the responses by day and each response', async () => {
  const page = await openAnswered(NPS, [
    { payload: { score: 9, comment: 'Quick and friendly.' }, fields: { user_id: 'asha' } },
    { payload: { score: 10 }, fields: { received_at: daysAgo(1) } },
    { payload: { score: 7 }, fields: { received_at: daysAgo(1) } },
    { payload: { score: 0 }, fields: { received_at: daysAgo(60) } },
  ]);
  const answers = answersOf(page);
  await answers.getByText('from 3 responses').waitFor();
  await answers.getByText('+67', { exact: true }).waitFor();
  const promoters = answers.getByRole('row', { name: /^Promoters/ });
  await promoters.getByRole('cell', { name: '2', exact: true }).waitFor();
  await promoters.getByText('66.7%').waitFor();
  const chart = answers.getByRole('figure', { name: 'Responses by day' });
  expect(await chart.locator('tbody tr').count()).toBe(30);
  const response = answers.getByRole('row').filter({ hasText: 'Quick and friendly.' });
  await response.getByText('Comment:').waitFor();
  const user = response.getByRole('link', { name: 'asha' });
  expect(await user.getAttribute('href')).toBe('/console/people/asha');
  await lookAt(page, 'campaign-nps');
  await answers.getByText('90 days', { exact: true }).click();
  await answers.getByText('from 4 responses').waitFor();
  await answers.getByText('+25', { exact: true }).waitFor();
  await answers.getByText(/listed for the last 31 days/).waitFor();
  await page.reload();
  await answers.getByText('from 4 responses').waitFor();
});

test('a poll shows all of its options, also those that nobody chose', async () => {
  const content = {
    title: 'Tea or coffee?',
    options: [{ id: 'a', label: 'Tea' }, 'Coffee', 'Neither'],
  };
  const page = await openAnswered({ name: 'Drinks', type: 'poll', content }, [
    { payload: { option_id: 'a', option: 'Tea' } },
    { payload: { option_ids: ['a', 'Coffee'] } },
    { payload: { option: 'Water' }, fields: { user_id: '', contact_id: '' } },
  ]);
  const poll = answersOf(page).getByRole('region', { name: 'Tea or coffee?' });
  await poll.getByText('3 responses').waitFor();
  const cells = await poll.locator('tbody tr').allTextContents();
  expect(cells).toEqual(['Tea266.7%', 'Coffee133.3%', 'Neither00%', 'Water133.3%']);
  const list = page.getByRole('table', { name: 'Responses' });
  await list.getByRole('row').filter({ hasText: 'Tea, Coffee' }).waitFor();
  await list.getByRole('row').filter({ hasText: 'Water' }).getByText('Unknown').waitFor();
  await lookAt(page, 'campaign-poll');
});

test('a form shows choices as numbers, and lists what people wrote', async () => {
  const content = {
    title: 'Tell us more',
    fields: [
      { name: 'plan', label: 'Your plan', type: 'select', options: ['Free', 'Pro'] },
      { name: 'idea', label: 'Your idea', type: 'textarea' },
      { name: 'mayAsk', label: 'May we ask you?', type: 'checkbox' },
    ],
  };
  const page = await openAnswered({ name: 'Ideas', type: 'form', content }, [
    { payload: { fields: { plan: 'Pro', idea: 'A dark mode', mayAsk: true } } },
    { payload: { fields: { plan: 'Pro', idea: '', mayAsk: false } } },
  ]);
  const answers = answersOf(page);
  const plan = answers.getByRole('region', { name: 'Your plan' });
  await plan.getByRole('row', { name: /^Pro 2 100%/ }).waitFor();
  await answers
    .getByRole('region', { name: 'Your idea' })
    .getByText('1 response, listed below')
    .waitFor();
  await answers
    .getByRole('region', { name: 'May we ask you?' })
    .getByRole('row', { name: /^Yes 1 50%/ })
    .waitFor();
  const written = page.getByRole('row').filter({ hasText: 'Your idea: A dark mode' });
  await written.getByText('May we ask you? Yes').waitFor();
  await lookAt(page, 'campaign-form');
});

test('a rating has an average, and a quiz its points', async () => {
  const rating = await openAnswered(
    { name: 'Stars', type: 'rating', content: { title: 'How was it?' } },
    [{ payload: { rating: 5, score: 5 } }, { payload: { rating: 4, score: 4, comment: 'Fine' } }],
  );
  await answersOf(rating).getByText('2 responses, average 4.5').waitFor();
  const content = {
    title: 'A quiz',
    questions: [
      { id: 'q1', question: 'One plus one?', options: ['2', '3'], correct: '2' },
      { id: 'q2', question: 'Two plus two?', options: ['4', '5'], correct: '4' },
    ],
  };
  const quiz = await openAnswered({ name: 'Sums', type: 'quiz', content }, [
    { payload: { answers: { q2: '4', q1: '3' }, score: 1, passed: false } },
  ]);
  const titles = answersOf(quiz).getByRole('heading', { level: 3 });
  await titles.nth(1).waitFor();
  expect(await titles.allTextContents()).toEqual(['One plus one?', 'Two plus two?', 'Responses']);
  await quiz.getByText('Passed: No').waitFor();
});

test('a campaign without answers says so, and one that asks nothing has no answers', async () => {
  const page = await openAnswered(NPS, []);
  await answersOf(page)
    .getByRole('heading', { name: /^No answers/ })
    .waitFor();
  const banner = await openAnswered(
    { name: 'Sale', type: 'banner', content: { title: 'Sale' } },
    [],
  );
  await banner.getByRole('heading', { name: 'Sale', level: 1 }).waitFor();
  expect(await answersOf(banner).count()).toBe(0);
});
