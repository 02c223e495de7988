// The download of the list of payments.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { parseCsv } from '../graphql-api/harness/parse-csv.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const open = useConsole(useChromium());

async function openPayments(tenant: Tenant): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  return open({ url: api().url, token, path: '/payments' });
}

/** The lines of the file, the header first. */
async function downloaded(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('payments.csv');
  return parseCsv(await readFile(await download.path(), 'utf8'));
}

test('the file has all payments that match the filters, with exact amounts', async () => {
  const tenant = await createTenant();
  await sql(
    `INSERT INTO gateway_payments (id, account_id, workspace_id, cf_payment_id, kind, status,
       amount_minor, currency, order_id, method, failure, created_at)
     SELECT gen_random_uuid(), $1, $1, 'p-' || n, 'ONE_TIME',
       CASE n WHEN 0 THEN 'FAILED' ELSE 'SUCCESS' END, 1250 + n, 'INR', 'order-' || n, 'upi',
       CASE n WHEN 0 THEN '=1+1, "declined"' END, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second'
     FROM generate_series(0, 249) n`,
    [tenant.workspaceId],
  );
  const page = await openPayments(tenant);
  const [header, ...rows] = await downloaded(page);
  await page.getByText('The file has 250 rows.').waitFor();
  expect(header).toEqual([
    'payment_id',
    'status',
    'amount',
    'currency',
    'kind',
    'method',
    'failure',
    'order_id',
    'link_id',
    'subscription_id',
    'paid_at',
    'created_at',
  ]);
  expect(rows.map(([id]) => id)).toEqual(Array.from({ length: 250 }, (_, n) => `p-${249 - n}`));
  const failed = [
    'p-0',
    'FAILED',
    '12.50',
    'INR',
    'ONE_TIME',
    'upi',
    `'=1+1, "declined"`,
    'order-0',
    null,
    null,
    null,
    '2026-01-01T00:00:00.000Z',
  ];
  expect(rows.at(-1)).toEqual(failed);
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.getByRole('cell', { name: 'p-249' }).waitFor({ state: 'detached' });
  expect((await downloaded(page)).slice(1)).toEqual([failed]);
});

const PAYMENT = {
  cfPaymentId: 'p',
  kind: 'ONE_TIME',
  status: 'SUCCESS',
  amount: { amount: '1.00', currencyCode: 'INR' },
  method: null,
  failure: null,
  orderId: null,
  linkId: null,
  subscriptionId: null,
  paidAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

test('a download can be cancelled, and a file that cannot have all rows says so', async () => {
  const page = await openPayments(await createTenant());
  await page.getByText('No payment yet').waitFor();
  const held = Promise.withResolvers<void>();
  let pageCount = 0;
  await page.route('**/graphql', async route => {
    if (!route.request().postData()?.includes('query GatewayPaymentRows')) return route.continue();
    await held.promise;
    pageCount += 1;
    const pageInfo = { hasNextPage: true, endCursor: `page-${pageCount}` };
    const gatewayPayments = { nodes: Array.from({ length: 100 }, () => PAYMENT), pageInfo };
    return route.fulfill({ json: { data: { gatewayPayments } } });
  });
  const button = page.getByRole('button', { name: 'Download CSV' });
  await button.click();
  await page.getByText('0 rows').waitFor();
  await lookAt(page, 'payments-csv');
  await page.getByRole('button', { name: 'Cancel the download' }).click();
  await page.getByText('0 rows').waitFor({ state: 'detached' });
  held.resolve();
  expect(await downloaded(page)).toHaveLength(10_001);
  await page.getByText('The file is not complete').waitFor();
  await page.getByText(/It has the newest 10,000 rows/).waitFor();
});

test('a download that fails says why', async () => {
  const page = await openPayments(await createTenant());
  await page.getByText('No payment yet').waitFor();
  await page.route('**/graphql', route =>
    route.request().postData()?.includes('query GatewayPaymentRows')
      ? route.fulfill({
          json: { errors: [{ message: 'No.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
        })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByText('Couldn’t download the file').waitFor();
  await page.getByText('Something went wrong: No.').waitFor();
  await page.getByRole('button', { name: 'Cancel the download' }).waitFor({ state: 'detached' });
});
