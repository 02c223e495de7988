// Every object ends in the same state for any order and repetition of its facts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chargesOf,
  type DisputeState,
  nextDispute,
} from '../../../../graphql-api/payments/facts/dispute-state.ts';
import type {
  DisputeFact,
  LinkFact,
  OrderFact,
  PaymentFact,
  RefundFact,
  SettlementFact,
  SubscriptionFact,
  VendorFact,
} from '../../../../graphql-api/payments/facts/facts.ts';
import { nextLink } from '../../../../graphql-api/payments/facts/link-state.ts';
import { nextOrder } from '../../../../graphql-api/payments/facts/order-state.ts';
import {
  isLatePayment,
  nextPayment,
} from '../../../../graphql-api/payments/facts/payment-state.ts';
import { nextRefund } from '../../../../graphql-api/payments/facts/refund-state.ts';
import { nextSettlement } from '../../../../graphql-api/payments/facts/settlement-state.ts';
import {
  isLateSubscription,
  nextSubscription,
} from '../../../../graphql-api/payments/facts/subscription-state.ts';
import { nextVendor } from '../../../../graphql-api/payments/facts/vendor-state.ts';

const RUNS = process.env.TEST_LONG === '1' ? 20_000 : 500;

const payment = (status: string, more: Partial<PaymentFact> = {}): PaymentFact => ({
  kind: 'payment',
  paymentKind: 'ONE_TIME',
  cfPaymentId: '1',
  status,
  amountMinor: 100n,
  currency: 'INR',
  retryAttempts: 0,
  atMs: 1_000,
  ...more,
});
const refund = (status: string, atMs: number): RefundFact => ({
  kind: 'refund',
  refundId: 'r',
  status,
  amountMinor: 100n,
  currency: 'INR',
  atMs,
});
const link = (status: string, atMs: number, amountPaidMinor = 0n): LinkFact => ({
  kind: 'link',
  linkId: 'l',
  status,
  amountPaidMinor,
  currency: 'INR',
  atMs,
});
const order = (status: string, atMs: number): OrderFact => ({
  kind: 'order',
  orderId: 'o',
  status,
  atMs,
});
const subscription = (status: string | undefined, atMs: number): SubscriptionFact => ({
  kind: 'subscription',
  subscriptionId: 's',
  status,
  authorizationStatus: status === undefined ? 'ACTIVE' : undefined,
  atMs,
});
const dispute = (type: string, word: string, atMs: number): DisputeFact => ({
  kind: 'dispute',
  disputeId: 'd',
  type,
  status: `${type}_${word}`,
  cfPaymentId: '1',
  atMs,
});
const vendor = (status: string, atMs: number): VendorFact => ({
  kind: 'vendor',
  vendorId: 'v',
  status,
  atMs,
});
const settlement = (status: string, atMs: number): SettlementFact => ({
  kind: 'settlement',
  settlementId: 't',
  status,
  atMs,
});

const times = fc.integer({ min: 1, max: 6 });
const oneOf = (...words: string[]) => fc.constantFrom(...words);

type Machine<S, F> = (current: S | undefined, fact: F) => S;

const run = <S, F>(machine: Machine<S, F>, facts: readonly F[]): S | undefined =>
  facts.reduce<S | undefined>((state, fact) => machine(state, fact), undefined);

/** The state must be the same when the facts are shuffled and some are repeated. */
function endsTheSame<S, F>(machine: Machine<S, F>, facts: fc.Arbitrary<F>): void {
  const lists = fc
    .uniqueArray(facts, {
      minLength: 1,
      maxLength: 8,
      selector: fact => JSON.stringify(fact, text),
    })
    .chain(list =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list], { minLength: list.length }),
      ),
    );
  fc.assert(
    fc.property(lists, ([list, shuffled]) => {
      const again = [...shuffled, ...list.filter(fact => !shuffled.includes(fact))];
      expect(run(machine, again)).toEqual(run(machine, list));
    }),
    { numRuns: RUNS },
  );
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('any facts in any order and number end in the same state', () => {
  test('of payments', () => {
    const status = oneOf('PENDING', 'USER_DROPPED', 'FAILED', 'SUCCESS', 'CANCELLED', 'NEWS');
    const facts = fc
      .tuple(status, fc.integer({ min: 0, max: 3 }), times, oneOf('ONE_TIME', 'RENEWAL'))
      .map(([word, retryAttempts, atMs, kind]) =>
        payment(word, {
          retryAttempts,
          atMs,
          paymentKind: kind as 'RENEWAL',
          paidAtMs: word === 'SUCCESS' ? 7 : undefined,
        }),
      );
    endsTheSame(nextPayment, facts);
  });

  test('of refunds', () => {
    const facts = fc
      .tuple(oneOf('PENDING', 'ONHOLD', 'CANCELLED', 'FAILED', 'SUCCESS'), times)
      .map(([status, atMs]) => refund(status, atMs));
    endsTheSame(nextRefund, facts);
  });

  test('of links', () => {
    const facts = fc
      .tuple(oneOf('ACTIVE', 'PARTIALLY_PAID', 'EXPIRED', 'CANCELLED', 'PAID'), times, times)
      .map(([status, atMs, paid]) => link(status, atMs, BigInt(paid)));
    endsTheSame(nextLink, facts);
  });

  test('of orders', () => {
    const facts = fc
      .tuple(oneOf('ACTIVE', 'EXPIRED', 'TERMINATED', 'PAID'), times)
      .map(([status, atMs]) => order(status, atMs));
    endsTheSame(nextOrder, facts);
  });

  test('of subscriptions', () => {
    const words = ['INITIALIZED', 'ACTIVE', 'ON_HOLD', 'CUSTOMER_PAUSED', 'COMPLETED', 'CANCELLED'];
    const facts = fc
      .tuple(fc.option(oneOf(...words), { nil: undefined }), times)
      .map(([status, atMs]) => subscription(status, atMs));
    endsTheSame(nextSubscription, facts);
  });

  test('of disputes', () => {
    const facts = fc
      .tuple(
        oneOf('RETRIEVAL', 'DISPUTE', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'),
        oneOf('CREATED', 'DOCS_RECEIVED', 'UNDER_REVIEW', 'MERCHANT_WON', 'MERCHANT_LOST'),
        // The gateway's times are in seconds, so two facts of a dispute may have the same time.
        times,
      )
      .map(([type, word, atMs]) => dispute(type, word, atMs));
    endsTheSame(nextDispute, facts);
  });

  test('of vendors', () => {
    const facts = fc
      .tuple(oneOf('IN_BENE_CREATION', 'ACTION_REQUIRED', 'ACTIVE', 'BLOCKED', 'DELETED'), times)
      .map(([status, atMs]) => vendor(status, atMs));
    endsTheSame(nextVendor, facts);
  });

  test('of settlements', () => {
    const facts = fc
      .tuple(oneOf('INITIATED', 'SUCCESS', 'FAILED', 'REVERSED'), times)
      .map(([status, atMs]) => settlement(status, atMs));
    endsTheSame(nextSettlement, facts);
  });
});

describe('a payment', () => {
  test('that succeeded never fails, and one that failed may succeed', () => {
    const late = run(nextPayment, [payment('SUCCESS'), payment('FAILED', { atMs: 9_000 })]);
    expect(late?.status).toBe('SUCCESS');
    expect(run(nextPayment, [payment('FAILED'), payment('SUCCESS')])?.status).toBe('SUCCESS');
  });

  test('has no failure reason once it has succeeded', () => {
    const failed = payment('FAILED', { failure: 'no funds' });
    expect(run(nextPayment, [failed])?.failure).toBe('no funds');
    expect(run(nextPayment, [failed, payment('SUCCESS')])?.failure).toBeUndefined();
  });

  test('of a mandate’s authorization stays one, even if other events name it differently', () => {
    const authorization = payment('SUCCESS', { paymentKind: 'MANDATE_AUTHORIZATION' });
    expect(run(nextPayment, [authorization, payment('SUCCESS')])?.paymentKind).toBe(
      'MANDATE_AUTHORIZATION',
    );
  });

  test('can be retried after a failure: the later attempt counts, and each failure is reported', () => {
    const attempts = [0, 1, 2].map(retryAttempts => payment('FAILED', { retryAttempts }));
    const pending = payment('PENDING', { retryAttempts: 3 });
    expect(run(nextPayment, [pending, ...attempts])).toMatchObject({
      status: 'PENDING',
      retryAttempts: 3,
    });
    const state = run(nextPayment, [attempts[2]!]);
    expect(isLatePayment(state, attempts[0]!)).toBe(false);
    expect(isLatePayment(run(nextPayment, [payment('SUCCESS')]), attempts[0]!)).toBe(true);
  });
});

describe('a mandate', () => {
  test('changes its state by the gateway’s time, not by the order of arrival', () => {
    const facts = [
      subscription('ACTIVE', 3),
      subscription('ON_HOLD', 2),
      subscription('ACTIVE', 1),
    ];
    expect(run(nextSubscription, facts)).toMatchObject({ status: 'ACTIVE', statusAtMs: 3 });
    expect(run(nextSubscription, [...facts, subscription('ON_HOLD', 4)])?.status).toBe('ON_HOLD');
    expect(isLateSubscription(run(nextSubscription, facts), subscription('ON_HOLD', 2))).toBe(true);
  });

  test('that has ended cannot become active again', () => {
    const facts = [subscription('CANCELLED', 2), subscription('ACTIVE', 5)];
    expect(run(nextSubscription, facts)?.status).toBe('CANCELLED');
  });

  test('does not change its state by its authorization alone', () => {
    const facts = [subscription('ON_HOLD', 2), subscription(undefined, 5)];
    expect(run(nextSubscription, facts)).toMatchObject({
      status: 'ON_HOLD',
      statusAtMs: 2,
      authorizationStatus: 'ACTIVE',
    });
  });
});

describe('the amount that a dispute claws back', () => {
  const charges = (...facts: DisputeFact[]) => chargesOf(run(nextDispute, facts) as DisputeState);

  test('is zero before the stage CHARGEBACK', () => {
    expect(charges(dispute('DISPUTE', 'CREATED', 1))).toEqual({ taken: [], won: [] });
    expect(charges(dispute('RETRIEVAL', 'MERCHANT_LOST', 1))).toEqual({ taken: [], won: [] });
  });

  test('is the chargeback until it is won', () => {
    const created = dispute('CHARGEBACK', 'CREATED', 1);
    expect(charges(created)).toEqual({ taken: ['CHARGEBACK'], won: [] });
    expect(charges(created, dispute('CHARGEBACK', 'MERCHANT_LOST', 2)).taken).toHaveLength(1);
    expect(charges(dispute('CHARGEBACK', 'MERCHANT_WON', 2), created)).toEqual({
      taken: [],
      won: ['CHARGEBACK'],
    });
  });

  test('is clawed back again in arbitration after a win, and fully restored when that is won', () => {
    const won = dispute('CHARGEBACK', 'MERCHANT_WON', 2);
    const arbitration = dispute('PRE_ARBITRATION', 'CREATED', 3);
    expect(charges(arbitration, won)).toEqual({ taken: ['PRE_ARBITRATION'], won: [] });
    expect(charges(arbitration, dispute('PRE_ARBITRATION', 'MERCHANT_WON', 4), won)).toEqual({
      taken: [],
      won: ['CHARGEBACK', 'PRE_ARBITRATION'],
    });
  });
});
