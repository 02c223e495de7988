// The facts in the gateway's sample events, and their effects.

import { describe, expect, test } from 'vitest';
import { describeFact } from '../../../../graphql-api/payments/facts/describe-fact.ts';
import { effectsOf } from '../../../../graphql-api/payments/facts/effects-of-fact.ts';
import type { GatewayFact } from '../../../../graphql-api/payments/facts/facts.ts';
import {
  echoedWorkspaceId,
  factsOfEvent,
} from '../../../../graphql-api/payments/facts/facts-of-event.ts';
import { UnreadableEvent } from '../../../../graphql-api/payments/facts/read-values.ts';
import { parseGatewayEvent } from '../../../../schema/gateway/parse-gateway-event.ts';
import { GATEWAY_SAMPLES } from '../../../harness/gateway-webhook.ts';

type Json = Record<string, unknown>;

const SAMPLES = new Map(GATEWAY_SAMPLES);

function factsOf(event: Json | Buffer): readonly GatewayFact[] {
  const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event));
  return factsOfEvent(parseGatewayEvent(body));
}

function named(facts: readonly GatewayFact[], linkId?: string): string[] {
  return facts.flatMap(fact =>
    effectsOf(fact, { objectId: 'it', linkId }).map(effect => effect.name),
  );
}

const event = (type: string, data: Json): Json => ({
  type,
  data,
  event_time: '2026-01-15T11:16:10+05:30',
});

describe('the samples', () => {
  const expected: Readonly<Record<string, Json>> = {
    'dispute_created.json': {
      kind: 'dispute',
      disputeId: '433475258',
      type: 'DISPUTE',
      cfPaymentId: '885473311',
      amountMinor: 300n,
    },
    'payment_link_partially_paid.json': {
      kind: 'link',
      linkId: 'payment_ps11',
      cfLinkId: '1576977',
      status: 'PARTIALLY_PAID',
      amountPaidMinor: 5500n,
      orderId: 'CFPay_U1mgll3c0e9g_ehdcjjbtckf',
    },
    'payment_success.json': {
      kind: 'payment',
      paymentKind: 'ONE_TIME',
      cfPaymentId: '1453002795',
      status: 'SUCCESS',
      amountMinor: 100n,
      orderId: 'order_OFR_2',
      paidAtMs: Date.parse('2025-01-15T12:20:29+05:30'),
    },
    'payment_user_dropped.json': { kind: 'payment', status: 'USER_DROPPED', amountMinor: 100n },
    'refund_status.json': {
      kind: 'refund',
      refundId: 'refund_sampleorder0413',
      cfRefundId: '11325632',
      cfPaymentId: '789727431',
      status: 'SUCCESS',
      amountMinor: 200n,
    },
    'subscription_payment_failed.v2026-01-01.json': {
      kind: 'payment',
      paymentKind: 'RENEWAL',
      cfPaymentId: '49585655',
      status: 'FAILED',
      retryAttempts: 0,
      subscriptionId: 'mozh4iRHSsjre7GkDNz',
      failure: 'DEBIT FAILED | Insufficient Funds In Customer (Remitter) Account',
    },
    'subscription_payment_success_charge.v2026-01-01.json': {
      kind: 'payment',
      paymentKind: 'RENEWAL',
      status: 'SUCCESS',
      amountMinor: 39_900n,
    },
    'subscription_status_changed.json': {
      kind: 'subscription',
      subscriptionId: 'mozuyYwUCbWEfJVVRLi',
      status: 'BANK_APPROVAL_PENDING',
      authorizationStatus: 'PENDING',
    },
    'subscription_status_changed.v2023-08-01.json': {
      kind: 'subscription',
      subscriptionId: 'sample_sub_117',
      status: 'ACTIVE',
      authorizationStatus: 'ACTIVE',
      paymentMethod: 'upi',
    },
    'subscription_card_expiry_reminder.json': {
      kind: 'notice',
      name: 'subscription.card_expiring',
      objectId: 'sample_sub_118',
    },
    'auto_refund.json': {
      kind: 'refund',
      refundId: 'cf_1243460973',
      cfPaymentId: '2148333968',
      orderId: 'sample_order_auto_refund',
      status: 'INITIATED',
    },
    'vendor_settlement_success.inside.json': {
      kind: 'settlement',
      settlementId: '49704',
      vendorId: 'sampleVendor4',
      status: 'SUCCESS',
      amountMinor: 60_000n,
    },
    'vendor_status_update.json': {
      kind: 'vendor',
      vendorId: 'status002',
      status: 'ACTION_REQUIRED',
    },
  };

  test.each(Object.entries(expected))('%s', (name, fact) => {
    const facts = factsOf(SAMPLES.get(name)!);
    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject(fact);
  });

  test.each(GATEWAY_SAMPLES)('%s belongs to an object that it names', (_name, body) => {
    expect(named(factsOf(body))).not.toEqual([]);
  });

  test.each(GATEWAY_SAMPLES)('%s is recorded without data of the payer', (_name, body) => {
    const told = JSON.stringify(factsOf(body).map(describeFact));
    expect(told).not.toMatch(/@|9999999999|9000000000|8000000000|john/i);
  });
});

describe('the status counts, not the type', () => {
  test('a success that is still pending', () => {
    const payment = { cf_payment_id: 1, payment_status: 'PENDING', payment_amount: 1.5 };
    const facts = factsOf(event('PAYMENT_SUCCESS_WEBHOOK', { payment }));
    expect(facts).toMatchObject([{ status: 'PENDING', amountMinor: 150n }]);
    expect(named(facts)).toEqual(['payment.pending']);
  });

  test('the debit that verifies a mandate is not a renewal', () => {
    const sample = SAMPLES.get('subscription_payment_success_charge.v2026-01-01.json')!;
    const body = Buffer.from(sample.toString().replace('"CHARGE"', '"AUTH"'));
    const facts = factsOf(body);
    expect(facts).toMatchObject([
      { kind: 'subscription', authorizationStatus: 'ACTIVE' },
      { kind: 'payment', paymentKind: 'MANDATE_AUTHORIZATION' },
    ]);
    expect(named(facts)).toEqual(['mandate.activated', 'mandate.authorized']);
  });

  test('in the older version, it is the payment named by the authorization or the remark', () => {
    const data = {
      cf_payment_id: '7',
      payment_type: 'DEBIT_CARD',
      payment_status: 'SUCCESS',
      payment_amount: 2,
      subscription_id: 's',
      authorizationDetails: { paymentId: '7' },
    };
    const kinds = (fields: Json) =>
      factsOf(event('SUBSCRIPTION_PAYMENT_SUCCESS', { ...data, ...fields })).flatMap(fact =>
        fact.kind === 'payment' ? [fact.paymentKind] : [],
      );
    expect(kinds({})).toEqual(['MANDATE_AUTHORIZATION']);
    expect(kinds({ cf_payment_id: '8' })).toEqual(['RENEWAL']);
    expect(kinds({ cf_payment_id: '8', payment_remarks: 'auth payment' })).toEqual([
      'MANDATE_AUTHORIZATION',
    ]);
  });
});

describe('minted IDs', () => {
  test.each([
    ['mandate.activated', { subscription_id: 's' }, ['mandate.activated']],
    [
      'subscription.renewal_failed',
      { subscription_id: 's', cf_payment_id: '1', payment_amount: '399.00' },
      ['subscription.renewal_failed'],
    ],
    ['payment_link.abandoned', { link_id: 'l' }, ['payment_link.abandoned']],
    ['payment_link.paid', { link_id: 'l' }, ['payment_link.paid']],
    ['order.paid', { order_id: 'o' }, ['order.paid']],
  ])('%s', (type, data, names) => {
    expect(named(factsOf(event(type, data)))).toContain(names[0]);
  });

  test('an expired unpaid link and one that its payer left count as abandoned', () => {
    const expired = { link_id: 'l', link_status: 'EXPIRED', link_amount_paid: '0.00' };
    expect(named(factsOf(event('PAYMENT_LINK_EVENT', expired)))).toEqual([
      'payment_link.expired',
      'payment_link.abandoned',
    ]);
    const partly = { ...expired, link_amount_paid: '1.00' };
    expect(named(factsOf(event('PAYMENT_LINK_EVENT', partly)))).toEqual(['payment_link.expired']);
    const dropped = factsOf(SAMPLES.get('payment_user_dropped.json')!);
    expect(named(dropped, 'l')).toEqual(['payment.dropped', 'payment_link.abandoned']);
    expect(named(dropped)).toEqual(['payment.dropped']);
  });
});

describe('the workspace that the gateway echoes', () => {
  const workspaceId = '0198f2a0-0000-7000-8000-000000000001';
  test.each([
    ['link_notes', { link_notes: { workspace_id: workspaceId } }],
    ['nested link_notes', { link: { link_notes: { workspace_id: workspaceId } } }],
    [
      'subscription_tags',
      { subscription_details: { subscription_tags: { workspace_id: workspaceId } } },
    ],
    [
      'subscription_tags of the reminder that a card expires',
      {
        subscription_status_webhook: {
          subscription_details: { subscription_tags: { workspace_id: workspaceId } },
        },
      },
    ],
    ['order_tags', { order: { order_tags: { workspace_id: workspaceId } } }],
  ])('%s', (_where, data) => {
    const parsed = parseGatewayEvent(Buffer.from(JSON.stringify(event('X', data))));
    expect(echoedWorkspaceId(parsed)).toBe(workspaceId);
  });
});

describe('unreadable events', () => {
  test.each([
    ['no id', { payment: { payment_status: 'SUCCESS', payment_amount: 1 } }],
    ['no amount', { payment: { cf_payment_id: 1, payment_status: 'SUCCESS' } }],
    [
      'half a paisa',
      { payment: { cf_payment_id: 1, payment_status: 'SUCCESS', payment_amount: 1.005 } },
    ],
    [
      'less than nothing',
      { payment: { cf_payment_id: 1, payment_status: 'SUCCESS', payment_amount: -1 } },
    ],
  ])('a payment of %s', (_what, data) => {
    expect(() => factsOf(event('PAYMENT_SUCCESS_WEBHOOK', data))).toThrow(UnreadableEvent);
  });

  test('is reported without the content of the event', () => {
    const data = { payment: { cf_payment_id: 1, payment_status: 'X', payment_amount: 'secret' } };
    expect(() => factsOf(event('PAYMENT_SUCCESS_WEBHOOK', data))).toThrow(
      new UnreadableEvent('payment_amount is not a valid amount'),
    );
  });

  test('an unknown type contains no facts', () => {
    expect(factsOf(event('NEWS_OF_TOMORROW', {}))).toEqual([]);
  });
});
