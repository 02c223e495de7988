// Plans, subscriptions, vendors and orders that owners create, with the development gateway.

import { expect, test } from 'vitest';
import {
  createMerchant,
  type Merchant,
  make,
  PLAN_INPUT,
  VENDOR_INPUT,
} from '../graphql-api/harness/gateway.ts';
import { sql } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { usePayments } from './payments-scene.ts';

const { running, openPayments } = usePayments();

/** The gateway has verified the vendor of the workspace. */
async function verifyVendor({ workspaceId }: Merchant): Promise<void> {
  const [vendor] = await sql(
    `UPDATE gateway_vendors SET status = 'ACTIVE' WHERE workspace_id = $1 RETURNING vendor_id`,
    [workspaceId],
  );
  await running
    .gateway()
    .control(`vendors/${String(vendor!.vendor_id)}/status`, { status: 'ACTIVE' });
}

test('a periodic plan and one on demand are created, and listed with their charges', async () => {
  const page = await openPayments(await createMerchant(running), '/plans');
  await page.getByText('No plan yet').waitFor();
  await page.getByRole('button', { name: 'Create plan' }).click();
  const form = page.getByRole('dialog', { name: 'Create plan' });
  await form.getByLabel('Name').fill('Silver');
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
  const silver = page.getByRole('row').filter({ hasText: 'Silver' });
  await silver.getByText('₹499.50').waitFor();
  await silver.getByText('every 3 months').waitFor();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await form.getByLabel('Name').fill('Meter');
  await form.getByLabel('On demand, up to a maximum amount').check();
  await form.getByLabel('Maximum amount of a charge').fill('5000');
  await form.getByLabel('Maximum number of charges').fill('12');
  await form.getByRole('button', { name: 'Create plan' }).click();
  await page.getByRole('row').filter({ hasText: 'Meter' }).getByText('on demand').waitFor();
  await lookAt(page, 'payments-plans');
  expect(await running.gateway().calls('POST /plans', '"plan_name":"Silver"')).toHaveLength(1);
});

test('a subscription is created once, and shows the URL at which the customer authorizes it', async () => {
  const merchant = await createMerchant(running);
  await make(running.api(), merchant, 'gatewayPlanCreate', PLAN_INPUT);
  const page = await openPayments(merchant, '/subscriptions');
  await page.getByText('No subscription yet').waitFor();
  await page.getByRole('button', { name: 'Create subscription' }).click();
  const form = page.getByRole('dialog', { name: 'Create subscription' });
  const create = form.getByRole('button', { name: 'Create subscription' });
  await form.getByLabel('Customer’s phone').fill('123');
  await form.getByLabel('Customer’s email').fill('buyer@example.com');
  await form.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'Gold: ₹499.00 every month' }).click();
  await create.click();
  await form.getByText('Enter 10 digits, or + and the country code.').waitFor();
  await form.getByLabel('Customer’s phone').fill('9999999999');
  await form.getByLabel('First charge').fill('2030-01-02T10:30');
  await form.getByLabel('Card').check();
  await lookAt(page, 'payments-new-subscription');
  await create.click();
  const created = page.getByRole('dialog', { name: 'The subscription was created' });
  expect(await created.getByLabel('Authorization URL').inputValue()).toMatch(/^http/);
  const subscriptionId = await created.getByLabel('Subscription ID').inputValue();
  await created.getByRole('button', { name: 'Copy' }).first().click();
  await created.getByText('Copied').waitFor();
  await lookAt(page, 'payments-created-subscription');
  await created.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: subscriptionId }).waitFor();
  const [call, ...others] = await running.gateway().calls('POST /subscriptions', subscriptionId);
  expect(others).toEqual([]);
  expect(JSON.parse(call!.body)).toMatchObject({
    subscription_first_charge_time: '2030-01-02T10:30:00.000Z',
    authorization_details: { payment_methods: ['upi', 'card'] },
  });
});

test('a vendor is created, paid elsewhere after a confirmation, and deleted once it is active', async () => {
  const merchant = await createMerchant(running);
  const page = await openPayments(merchant, '/vendors');
  await page.getByText('No vendor yet').waitFor();
  await page.getByRole('button', { name: 'Create vendor' }).click();
  const form = page.getByRole('dialog', { name: 'Create vendor' });
  await form.getByLabel('Name').fill('Asha Textiles');
  await form.getByLabel('Email').fill('asha@example.com');
  await form.getByLabel('Phone').fill('9999999999');
  await form.getByLabel('Individual').check();
  await form.getByRole('combobox', { name: 'Business type' }).click();
  await page.getByRole('option', { name: 'Miscellaneous' }).click();
  await form.getByLabel('PAN').fill('AAAPA1234A');
  await form.getByLabel('Account number').fill('12');
  await form.getByLabel('IFSC').fill('HDFC0001234');
  await form.getByLabel('Account holder').fill('Asha Rao');
  await form.getByRole('button', { name: 'Create vendor' }).click();
  await form.getByText('Enter 9 to 18 digits.').waitFor();
  await lookAt(page, 'payments-new-vendor');
  await form.getByLabel('Account number').fill('1234567890');
  await form.getByRole('button', { name: 'Create vendor' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Asha' });
  await row.getByText('The gateway is adding the account.').waitFor();
  await row.getByText('Bank account …7890').waitFor();
  await lookAt(page, 'payments-vendors');
  await row.getByRole('button', { name: 'Actions for Asha Textiles' }).click();
  const edit = page.getByRole('menuitem', { name: 'Edit' });
  await edit.waitFor();
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
  await edit.click();
  const change = page.getByRole('dialog', { name: 'Edit vendor' });
  await change.getByLabel('Name').fill('Asha Fabrics');
  await change.getByLabel('Another UPI address').check();
  await change.getByRole('textbox', { name: 'UPI address', exact: true }).fill('asha@bank');
  await change.getByLabel('Account holder').fill('Asha Rao');
  await lookAt(page, 'payments-edit-vendor');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('instead of Bank account …7890').waitFor();
  await page.getByRole('button', { name: 'Change it' }).click();
  await row.getByText('UPI …@bank').waitFor();
  await row.getByText('Asha Fabrics').waitFor();
  await verifyVendor(merchant);
  await page.reload();
  await row.getByText('Active').waitFor();
  await row.getByRole('button', { name: 'Actions for Asha Fabrics' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete vendor' }).click();
  await row.getByText('Deleted').waitFor();
  expect(await row.getByRole('button').count()).toBe(0);
});

test('an order shares its amount with a vendor, and shows the IDs for the checkout', async () => {
  const merchant = await createMerchant(running);
  await make(running.api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT);
  await verifyVendor(merchant);
  const page = await openPayments(merchant, '/orders');
  await page.getByText('No order yet').waitFor();
  await page.getByRole('button', { name: 'Create order' }).click();
  const form = page.getByRole('dialog', { name: 'Create order' });
  const create = form.getByRole('button', { name: 'Create order' });
  await form.getByRole('textbox', { name: 'Amount', exact: true }).fill('170.50');
  await form.getByLabel('Customer ID').fill('x');
  await form.getByLabel('Customer’s phone').fill('9999999999');
  await form.getByRole('button', { name: 'Add vendor' }).click();
  await form.getByRole('combobox', { name: 'Vendor 1' }).first().click();
  await page.getByRole('option', { name: 'Asha Textiles …@bank' }).click();
  await form.getByLabel('Share of vendor 1').fill('110');
  await create.click();
  await form.getByText('Enter 3 to 50 letters, digits, underscores or hyphens.').waitFor();
  await form.getByText('Enter a percentage above 0, and at most 100.').waitFor();
  await form.getByLabel('Customer ID').fill('shopper-7');
  await form.getByRole('combobox', { name: 'Kind of share 1' }).click();
  await page.getByRole('option', { name: 'Amount' }).click();
  await form.getByLabel('Share of vendor 1').fill('170.51');
  await create.click();
  await form.getByText('Together, the shares must not exceed the amount of the order.').waitFor();
  await lookAt(page, 'payments-new-order');
  await form.getByLabel('Share of vendor 1').fill('70.25');
  await create.click();
  const created = page.getByRole('dialog', { name: 'The order was created' });
  const orderId = await created.getByLabel('Order ID').inputValue();
  expect(await created.getByLabel('Payment session ID').inputValue()).toMatch(/^session_/);
  await lookAt(page, 'payments-created-order');
  await created.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: orderId }).waitFor();
  const [call, ...others] = await running.gateway().calls('POST /orders', orderId);
  expect(others).toEqual([]);
  expect(JSON.parse(call!.body)).toMatchObject({
    order_amount: 170.5,
    order_splits: [{ amount: 70.25 }],
    customer_details: { customer_id: 'shopper-7' },
  });
});
