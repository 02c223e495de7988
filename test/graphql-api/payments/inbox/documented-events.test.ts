// Each documented gateway event, in each version, about an object that we created: it takes effect
// for the workspace that owns the object.

import { describe, expect, test } from 'vitest';
import { READER } from '../../../../graphql-api/payments/facts/facts-of-event.ts';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { GATEWAY_SAMPLES } from '../../../harness/gateway-webhook.ts';
import {
  gatewayEvent,
  insertLink,
  insertOrder,
  insertSubscription,
  insertVendor,
  useScene,
} from './scene.ts';

const scene = useScene();
const SAMPLES = new Map(GATEWAY_SAMPLES);

type Thing = 'order' | 'link' | 'subscription' | 'vendor' | 'payment';
type Expected = readonly [thing: Thing, id: string, effects: readonly string[]];

/** The versions of an event about a renewal. */
function versions(name: string, firstId: number, effects: readonly string[]) {
  return ['2026-01-01', '2025-01-01', '2023-08-01'].map((version, index): [string, Expected] => [
    `${name}.v${version}.json`,
    ['subscription', `sample_sub_${firstId + index}`, effects],
  ]);
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  'auto_refund.json': ['order', 'sample_order_auto_refund', ['refund.pending']],
  'dispute_closed.json': ['order', 'sample_order_dispute_7', ['dispute.won']],
  'dispute_created.json': ['order', 'order_1944392DR1kMTFYdIf8bI2awAcC3i9FTa', ['dispute.created']],
  'dispute_updated.json': ['order', 'sample_order_dispute_6', ['dispute.created']],
  'payment_failed_via_link.json': ['link', 'cf:1576978', ['payment.failed']],
  'payment_link_expired.json': [
    'link',
    'sample_link_expired',
    ['payment_link.expired', 'payment_link.abandoned'],
  ],
  'payment_link_paid.nested.json': ['link', 'sample_link_nested', ['payment_link.paid']],
  'payment_link_partially_paid.json': ['link', 'payment_ps11', ['payment_link.partially_paid']],
  'payment_success.json': ['order', 'order_OFR_2', ['payment.succeeded']],
  'payment_user_dropped.json': ['order', 'order_83', ['payment.dropped']],
  'refund_status.json': ['order', 'sampleorder0413', ['refund.succeeded']],
  'subscription_card_expiry_reminder.json': [
    'subscription',
    'sample_sub_118',
    ['subscription.card_expiring'],
  ],
  'subscription_controlled_execution.json': [
    'subscription',
    'sample_sub_122',
    ['subscription.execution_status_changed'],
  ],
  'subscription_controlled_notification.json': [
    'subscription',
    'sample_sub_121',
    ['subscription.notification_status_changed'],
  ],
  ...Object.fromEntries([
    ...versions('subscription_auth_status', 101, ['mandate.authorization_failed']),
    ...versions('subscription_payment_notification', 104, ['subscription.renewal_announced']),
    ...versions('subscription_payment_success_auth', 107, [
      'mandate.activated',
      'mandate.authorized',
    ]),
    ...versions('subscription_payment_cancelled', 110, ['subscription.renewal_cancelled']),
  ]),
  'subscription_payment_failed.v2023-08-01.json': [
    'subscription',
    'sample_sub_115',
    ['subscription.renewal_failed'],
  ],
  'subscription_payment_failed.v2025-01-01.json': [
    'subscription',
    'sample_sub_113',
    ['subscription.renewal_failed'],
  ],
  'subscription_payment_failed.v2026-01-01.json': [
    'subscription',
    'mozh4iRHSsjre7GkDNz',
    ['subscription.renewal_failed'],
  ],
  'subscription_payment_success_charge.v2023-08-01.json': [
    'subscription',
    'sample_sub_116',
    ['subscription.renewal_succeeded'],
  ],
  'subscription_payment_success_charge.v2025-01-01.json': [
    'subscription',
    'sample_sub_114',
    ['subscription.renewal_succeeded'],
  ],
  'subscription_payment_success_charge.v2026-01-01.json': [
    'subscription',
    'mozh4iRHSsjre7GkDNz',
    ['subscription.renewal_succeeded'],
  ],
  'subscription_refund_status.v2023-08-01.json': ['payment', '4958120', ['refund.succeeded']],
  'subscription_refund_status.v2025-01-01.json': ['payment', '4958119', ['refund.succeeded']],
  'subscription_status_changed.json': [
    'subscription',
    'mozuyYwUCbWEfJVVRLi',
    ['subscription.bank_approval_pending'],
  ],
  'subscription_status_changed.v2023-08-01.json': [
    'subscription',
    'sample_sub_117',
    ['subscription.activated', 'mandate.activated'],
  ],
  'vendor_settlement_created.json': ['vendor', 'sampleVendor3', ['vendor_settlement.initiated']],
  'vendor_settlement_success.inside.json': [
    'vendor',
    'sampleVendor4',
    ['vendor_settlement.succeeded'],
  ],
  'vendor_status_update.json': ['vendor', 'status002', ['vendor.status_changed']],
};

/**
 * Events about a whole merchant account instead of an object. Those of the platform's account reach
 * no tenant.
 */
const OF_THE_ACCOUNT = ['settlement_success.json'];

test('all samples are tested', () => {
  expect([...Object.keys(EXPECTED), ...OF_THE_ACCOUNT].toSorted()).toEqual([...SAMPLES.keys()]);
});

describe('under the platform’s account', () => {
  test.each(Object.entries(EXPECTED))('%s', async (name, [thing, id, effects]) => {
    const { workspaceId } = await scene().tenant();
    await make(thing, id, workspaceId);
    const eventId = await scene().receive(SAMPLES.get(name)!);
    await scene().work();
    expect(await scene().eventById(eventId)).toMatchObject({
      state: 'PROCESSED',
      error: null,
      effect: { names: effects },
      workspace_id: workspaceId,
    });
  });
});

describe('under a workspace’s own account', () => {
  test.each(GATEWAY_SAMPLES)('%s', async (_name, body) => {
    const { workspaceId } = await scene().tenant();
    const eventId = await scene().receive(body, { accountId: workspaceId });
    await scene().work();
    expect(await scene().eventById(eventId)).toMatchObject({ error: null, state: 'PROCESSED' });
  });
});

describe('events that an earlier release parked as unreadable', () => {
  const park = (eventId: string, error: string) =>
    scene().sql(
      `UPDATE gateway_events SET state = 'PARKED', attempts = 1, error = $2, next_attempt_at = NULL,
         reader = $3 WHERE id = $1`,
      [eventId, error, READER - 1],
    );

  test('take effect automatically in a release that can read them', async () => {
    const { workspaceId } = await scene().tenant();
    const reminder = SAMPLES.get('subscription_card_expiry_reminder.json')!;
    const eventId = await scene().receive(reminder, { accountId: workspaceId });
    await park(eventId, 'UNREADABLE: subscription_id is missing');
    await scene().work();
    expect(await scene().eventById(eventId)).toMatchObject({
      state: 'PROCESSED',
      error: null,
      effect: { names: ['subscription.card_expiring'] },
    });
  });

  test('are tried once, and parked again if they are still unreadable', async () => {
    const { workspaceId } = await scene().tenant();
    const body = gatewayEvent('SUBSCRIPTION_CARD_EXPIRY_REMINDER', { card_expiry_date: '2026-01' });
    const eventId = await scene().receive(body, { accountId: workspaceId });
    await park(eventId, 'UNREADABLE: in other words');
    await scene().work();
    expect(await scene().eventById(eventId)).toMatchObject({
      state: 'PARKED',
      error: 'UNREADABLE: subscription_id is missing',
      reader: READER,
      attempts: 2,
    });
  });

  test('are distinguished from events that failed too often', async () => {
    const eventId = await scene().receive(
      gatewayEvent('SUBSCRIPTION_CARD_EXPIRY_REMINDER', { subscription_id: 'parked otherwise' }),
    );
    await park(eventId, 'REFUSED: PAYMENT_MISMATCH');
    await scene().work();
    expect(await scene().eventById(eventId)).toMatchObject({ state: 'PARKED', attempts: 1 });
  });
});

async function make(thing: Thing, id: string, workspaceId: string): Promise<void> {
  const owner = { accountId: PLATFORM_ACCOUNT_ID, workspaceId };
  const isThere = await scene().sql(
    'SELECT 1 FROM gateway_subscriptions WHERE subscription_id = $1',
    [id],
  );
  if (isThere.length > 0)
    await scene().sql(
      'UPDATE gateway_subscriptions SET workspace_id = $2 WHERE subscription_id = $1',
      [id, workspaceId],
    );
  else if (thing === 'order') await insertOrder(scene(), id, owner);
  else if (thing === 'subscription') await insertSubscription(scene(), id, owner);
  else if (thing === 'vendor') await insertVendor(scene(), id, owner);
  else if (thing === 'payment') await receivePayment(id, owner);
  else if (id.startsWith('cf:')) await insertLink(scene(), { ...owner, cfId: id.slice(3) });
  else await insertLink(scene(), { ...owner, linkId: id, cfId: null });
}

/** Receives the event of a paid renewal. */
async function receivePayment(
  cfPaymentId: string,
  owner: { readonly accountId: string; readonly workspaceId: string },
): Promise<void> {
  const subscriptionId = `of ${cfPaymentId}`;
  await insertSubscription(scene(), subscriptionId, owner);
  await scene().receive(
    gatewayEvent('SUBSCRIPTION_PAYMENT_SUCCESS', {
      cf_payment_id: cfPaymentId,
      payment_type: 'CHARGE',
      payment_amount: 1000,
      payment_status: 'SUCCESS',
      subscription_id: subscriptionId,
    }),
  );
  await scene().work();
}
