// Plans, subscriptions, vendors and orders that owners create, with the development gateway.

import { expect, test } from 'vitest';
import { createMerchant, useApiWithGateway } from '../graphql-api/harness/gateway.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import type { Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const running = useApiWithGateway();
const open = useConsole(useChromium());

async function openPayments(tenant: Tenant, path: string) {
  const token = await tokenFor(tenant.organizationId);
  return open({ url: running.api().url, token, path: `/payments/${path}` });
}

test('a periodic plan and one on demand are created, and listed with their charges', async () => {
  const page = await openPayments(await createMerchant(running), 'plans');
  await page.getByText('No plan yet').waitFor();
  await page.getByRole('button', { name: 'Create plan' }).click();
  const form = page.getByRole('dialog', { name: 'Create plan' });
  await form.getByLabel('Name').fill('Gold');
  await form.getByLabel('Amount of each charge').fill('1,499');
  await form.getByLabel('Every').fill('3');
  await form.getByLabel('Maximum amount of a charge').fill('999');
  await lookAt(page, 'payments-new-plan');
  await form.getByRole('button', { name: 'Create plan' }).click();
  await form.getByText('Enter an amount that is not above the maximum amount.').waitFor();
  await page.keyboard.press('Escape');
  const question = page.getByText('Discard what you typed?');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await form.getByLabel('Amount of each charge').fill('499.50');
  await form.getByRole('button', { name: 'Create plan' }).click();
  const gold = page.getByRole('row').filter({ hasText: 'Gold' });
  await gold.getByText('₹499.50').waitFor();
  await gold.getByText('every 3 months').waitFor();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await form.getByLabel('Name').fill('Meter');
  await form.getByLabel('On demand, up to a maximum amount').check();
  await form.getByLabel('Maximum amount of a charge').fill('5000');
  await form.getByLabel('Maximum number of charges').fill('12');
  await form.getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('row').filter({ hasText: 'Meter' }).getByText('on demand').waitFor();
  await lookAt(page, 'payments-plans');
  expect(await running.gateway().calls('POST /plans', '"plan_name":"Gold"')).toHaveLength(1);
});
