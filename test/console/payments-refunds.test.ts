// The refunds of a payment, which the development gateway makes.

import { expect, test } from 'vitest';
import {
  createMerchant,
  make,
  ORDER_INPUT,
  recordPayment,
} from '../graphql-api/harness/gateway.ts';
import { sql } from '../harness/tenant.ts';
import { lookAt } from './harness/look-at.ts';
import { tell, usePayments } from './payments-scene.ts';

const { running, openPayments } = usePayments();

/** Creates a payment for an order that also exists at the gateway. */
async function createPaid() {
  const merchant = await createMerchant(running);
  const shown = 'id orderId status';
  const { made } = await make(running.api(), merchant, 'gatewayOrderCreate', ORDER_INPUT, {
    shown,
  });
  const { cfPaymentId } = await running.gateway().control(`orders/${made!.orderId}/pay`);
  await recordPayment(merchant, {
    accountId: merchant.workspaceId,
    cfPaymentId: cfPaymentId!,
    amountMinor: 17_050n,
    orderId: made!.orderId!,
    method: 'upi',
  });
  return { merchant, cfPaymentId: cfPaymentId! };
}

test('a payment is shown, and a part of it given back once', async () => {
  const { merchant, cfPaymentId } = await createPaid();
  const page = await openPayments(merchant);
  await page.getByRole('cell', { name: cfPaymentId }).waitFor();
  await lookAt(page, 'payments');
  await page.getByRole('link', { name: '₹170.50' }).click();
  await page.getByRole('heading', { name: '₹170.50' }).waitFor();
  await page.getByText('No refunds yet').waitFor();
  await page.getByRole('button', { name: 'Refund …' }).click();
  const form = page.getByRole('dialog', { name: 'Refund', exact: true });
  await form.getByText('₹170.50 is left to refund.').waitFor();
  await form.getByLabel('Amount').fill('a lot');
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText(/^Enter an amount, such as /).waitFor();
  for (const amount of ['1,000', '170.51']) {
    await form.getByLabel('Amount').fill(amount);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByText('At most ₹170.50 is left to refund.').waitFor();
    expect(await page.getByRole('dialog', { name: 'Refund ₹' }).count()).toBe(0);
  }
  await form.getByLabel('Amount').fill('70.50');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(`₹70.50 of payment ${cfPaymentId} goes back to the payer`).waitFor();
  const question = page.getByRole('dialog', { name: 'Refund ₹70.50?' });
  await question.getByRole('button', { name: 'Refund ₹70.50' }).click();
  await page.getByText('The refund of ₹70.50 was requested.').waitFor();
  await page.getByRole('cell', { name: '₹70.50' }).waitFor();
  // It counts once it succeeded.
  await page.getByText('Refund pending').waitFor();
  expect(await page.getByText('Partly refunded').count()).toBe(0);
  await lookAt(page, 'payments-payment');
  await page.getByRole('link', { name: 'Payments' }).first().click();
  const totals = page.getByLabel('Totals in INR');
  await totals.getByText('₹0.00').waitFor();
  const row = page.getByRole('row').filter({ hasText: cfPaymentId });
  await row.getByText('Refund pending').waitFor();
  const succeed = () =>
    sql(`UPDATE gateway_refunds SET status = 'SUCCESS' WHERE cf_payment_id = $1`, [cfPaymentId]);
  await succeed();
  await page.reload();
  await totals.getByText('₹100.00').waitFor();
  await lookAt(page, 'payments-totals');
  await row.getByText('Partly refunded').waitFor();
  expect(await row.getByText('Refund pending').count()).toBe(0);
  // All that is left, by name.
  await row.getByRole('link', { name: '₹170.50' }).click();
  await page.getByRole('button', { name: 'Refund …' }).click();
  await form.getByText('₹100.00 is left to refund.').waitFor();
  await form.getByRole('button', { name: 'Continue' }).click();
  const rest = `₹100.00 (all that is left) of payment ${cfPaymentId} goes back to the payer`;
  await page.getByText(rest).waitFor();
  await page
    .getByRole('dialog', { name: 'Refund ₹100.00?' })
    .getByRole('button', { name: 'Refund ₹100.00' })
    .click();
  await page.getByRole('button', { name: 'Refund …' }).waitFor({ state: 'detached' });
  await page.getByText('Partly refunded').waitFor();
  await page.getByText('Refund pending').waitFor();
  await succeed();
  await page.reload();
  await page.getByRole('link', { name: 'Payments' }).first().click();
  await row.getByText('Refunded', { exact: true }).waitFor();
  expect(await row.getByText('Refund pending').count()).toBe(0);
  expect(await running.gateway().calls('POST', `"refund_amount":70.5`)).toHaveLength(1);
});

test('a payment’s page follows a refund until it succeeds, in its state, timeline and refunds', async () => {
  const { merchant, cfPaymentId } = await createPaid();
  const page = await openPayments(merchant, `/payments/${cfPaymentId}`);
  await page.getByRole('button', { name: 'Refund …' }).click();
  const form = page.getByRole('dialog', { name: 'Refund', exact: true });
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Refund …' }).click();
  await form.getByRole('button', { name: 'Continue' }).click();
  const question = page.getByRole('dialog', { name: 'Refund ₹170.50?' });
  await question.getByRole('button', { name: 'Refund ₹170.50' }).click();
  const refunds = page.getByRole('table', { name: 'Refunds' });
  await refunds.getByText('Pending').waitFor();
  await page.getByText('Refund pending').waitFor();
  const [refund] = await sql('SELECT refund_id FROM gateway_refunds WHERE cf_payment_id = $1', [
    cfPaymentId,
  ]);
  await tell(merchant, 'REFUND_STATUS_WEBHOOK', {
    refund: {
      refund_id: refund!.refund_id,
      cf_payment_id: cfPaymentId,
      refund_amount: 170.5,
      refund_currency: 'INR',
      refund_status: 'SUCCESS',
    },
  });
  await page.getByText('Refunded', { exact: true }).first().waitFor();
  await page.getByText('Refund pending').waitFor({ state: 'detached' });
  await page
    .getByRole('table', { name: 'Timeline' })
    .getByRole('row', { name: /Refund succeeded/ })
    .waitFor();
  await refunds.getByText('Success').waitFor();
});

test('a disputed payment says so in the list, and before it is refunded', async () => {
  const { merchant, cfPaymentId } = await createPaid();
  await sql(
    `INSERT INTO gateway_disputes (id, account_id, workspace_id, dispute_id, type, status, cf_payment_id)
     VALUES (gen_random_uuid(), $1, $1, $2, 'CHARGEBACK', 'CHARGEBACK_CREATED', $2)`,
    [merchant.workspaceId, cfPaymentId],
  );
  await sql(`UPDATE gateway_orders SET note = 'Order 1042' WHERE workspace_id = $1`, [
    merchant.workspaceId,
  ]);
  const page = await openPayments(merchant);
  const row = page.getByRole('row').filter({ hasText: cfPaymentId });
  await row.getByText('Disputed').waitFor();
  await row.getByRole('link', { name: '₹170.50' }).click();
  await page.getByText('Disputed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Refund …' }).click();
  const form = page.getByRole('dialog', { name: 'Refund', exact: true });
  await form.getByText('Disputed payment').waitFor();
  await lookAt(page, 'payments-refund-disputed');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByText(/^₹170\.50 \(all of it\) of “Order 1042” goes back to the payer.*you pay twice/)
    .waitFor();
});
