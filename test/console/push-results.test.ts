// The results of pushes: by day and platform, of all campaigns or one.

import { expect, test } from 'vitest';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { deliveryRow, insertRows } from '../graphql-api/harness/report-rows.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('shows pushes by day and platform, and finds those of a campaign', async () => {
  const tenant = await createTenant();
  const clicked = { status: 'clicked', rank: 3 };
  await insertRows('deliveries_raw', [
    deliveryRow(tenant),
    deliveryRow(tenant, { ...clicked, received_at: daysAgo(1) }),
    deliveryRow(tenant, { platform: 'ios', campaign_id: 'winter', received_at: daysAgo(2) }),
    deliveryRow(tenant, {
      platform: 'ios',
      received_at: daysAgo(50),
      status: 'dismissed',
      rank: 2,
    }),
  ]);
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const page = await open({ url: api().url, token, path: '/campaigns' });
  await page.getByRole('link', { name: 'Push results' }).click();
  await page.getByRole('heading', { name: 'Push results', level: 1 }).waitFor();
  const platforms = page.getByRole('table', { name: 'Pushes by platform' });
  await platforms.waitFor();
  const cells = platforms.locator('tbody tr');
  expect(await cells.allTextContents()).toEqual(['Web2150%0', 'iOS100%0']);
  const chart = page.getByRole('figure', { name: /^Pushes shown, clicked and dismissed/ });
  expect(await chart.locator('tbody tr').count()).toBe(30);
  await lookAt(page, 'push-results');
  await page.getByRole('textbox', { name: 'Campaign ID' }).fill('winter');
  await page.waitForURL(/campaign=winter/);
  await expect.poll(() => cells.allTextContents()).toEqual(['iOS100%0']);
  await page.getByRole('textbox', { name: 'Campaign ID' }).fill('');
  await page.getByText('90 days', { exact: true }).click();
  await platforms.getByRole('row', { name: /^iOS 2 0 0% 1/ }).waitFor();
});

test('a workspace without pushes says so', async () => {
  const { organizationId } = await createTenant();
  const page = await open({
    url: api().url,
    token: await tokenFor(organizationId, { roles: ['member'] }),
    path: '/campaigns/push',
  });
  await page.getByRole('heading', { name: /^No pushes/ }).waitFor();
});
