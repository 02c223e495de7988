// Hostile content must not do harm, whoever wrote it.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { untilShown } from '../../harness/active.ts';
import { createCampaign } from '../../harness/campaign.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';
import { createTenant } from '../../harness/tenant.ts';
import { useShopPage } from './harness/in-app-scene.ts';
import { lookAtMessage } from './harness/look-at-message.ts';

const ingest = useSharedIngest();
const open = useShopPage(ingest);

const SCRIPT = '<img src=x onerror="harmed = true"><script>harmed = true</script>';

test('markup is shown as text, and unsafe addresses are left out', async () => {
  const tenant = await createTenant();
  const content = {
    title: SCRIPT,
    text: SCRIPT,
    action_label: SCRIPT,
    action_url: 'javascript:harmed = true',
    image_url: 'data:image/svg+xml,<svg onload="harmed = true"/>',
    image_alt: SCRIPT,
  };
  const id = await createCampaign(tenant.workspaceId, { type: 'modal', content });
  await untilShown(ingest(), tenant, [id]);
  const page = await open({ tenant });
  await page.getByRole('heading', { name: SCRIPT }).waitFor();
  await page.getByRole('button', { name: SCRIPT }).click();
  expect(await page.evaluate(`'harmed' in globalThis`)).toBe(false);
  expect(await page.evaluate('test.violations')).toEqual([]);
  expect(await codes(page)).toEqual(['UNSAFE_ADDRESS', 'UNSAFE_ADDRESS']);
  expect(await page.locator('[data-in-app] img, [data-in-app] script').count()).toBe(0);
});

test('a very long text is truncated and scrolls inside its message', async () => {
  const tenant = await createTenant();
  const content = { title: 'A'.repeat(20_000), text: 'long '.repeat(8_000), action_label: 'Go' };
  const id = await createCampaign(tenant.workspaceId, { type: 'banner', content });
  await untilShown(ingest(), tenant, [id]);
  const page = await open({ tenant });
  await lookAtMessage(page, 'huge');
  const box = await page.locator('section').boundingBox();
  expect(box!.height).toBeLessThan(800);
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await codes(page)).toEqual(['CONTENT_CUT', 'CONTENT_CUT']);
});

/** Whatever the service, or somebody in between, might answer. */
const CAMPAIGN = {
  name: '',
  surfaces: [],
  priority: 0,
  variant_id: null,
  expires_at: null,
  content: {},
};
const ANSWERS: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['no list', { campaigns: [] }, ['FETCH_FAILED']],
  [
    'null, a text and an empty object',
    [null, 'x', {}],
    ['MALFORMED_CAMPAIGN', 'MALFORMED_CAMPAIGN', 'MALFORMED_CAMPAIGN'],
  ],
  ['an unknown kind', [{ ...CAMPAIGN, campaign_id: 'a', type: 'hologram' }], ['UNKNOWN_KIND']],
  [
    'a kind named like a member of objects',
    [{ ...CAMPAIGN, campaign_id: 'a', type: 'constructor' }],
    ['UNKNOWN_KIND'],
  ],
  ['no content at all', [{ campaign_id: 'a', type: 'modal', content: [] }], ['MALFORMED_CAMPAIGN']],
  ...['banner', 'modal', 'nps', 'rating', 'poll', 'quiz', 'form', 'countdown'].map(
    type =>
      [
        `an empty ${type}`,
        [{ ...CAMPAIGN, campaign_id: 'a', type }],
        ['MALFORMED_CONTENT'],
      ] as const,
  ),
  [
    'a tooltip for nothing',
    [{ ...CAMPAIGN, campaign_id: 'a', type: 'tooltip', content: { title: 'T', anchor: '#none' } }],
    ['ANCHOR_NOT_FOUND'],
  ],
  [
    'a selector that is none',
    [{ ...CAMPAIGN, campaign_id: 'a', type: 'tooltip', content: { title: 'T', anchor: '<b>' } }],
    ['ANCHOR_NOT_FOUND'],
  ],
  [
    'fields of other types',
    [
      {
        ...CAMPAIGN,
        campaign_id: 'a',
        type: 'quiz',
        content: { title: {}, questions: [{ question: 'Q', options: 'x', correct: [] }, null, 7] },
      },
    ],
    ['MALFORMED_CONTENT'],
  ],
  [
    'a list of a thousand',
    [
      {
        ...CAMPAIGN,
        campaign_id: 'a',
        type: 'poll',
        content: { title: 'T', options: Array.from({ length: 1_000 }, (_, at) => at) },
      },
    ],
    ['CONTENT_CUT'],
  ],
];

test('invalid responses are reported to the developer and never thrown', async () => {
  const tenant = await createTenant();
  let answer: unknown = [];
  const page = await open({
    tenant,
    prepare: async opened => {
      await opened.route(/in-app\/active/, route =>
        route.fulfill({ json: answer, headers: { 'access-control-allow-origin': '*' } }),
      );
    },
  });
  for (const [name, next, expected] of ANSWERS) {
    answer = next;
    await page.evaluate('test.errors.splice(0), test.inApp.refresh()');
    expect([name, await codes(page)]).toEqual([name, expected]);
  }
});

async function codes(page: Page): Promise<unknown> {
  return page.evaluate('test.errors.map(({ code }) => code)');
}
