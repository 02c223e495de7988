// Events of the inbox have the same effects in any order.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GATEWAY_SAMPLES } from '../../../harness/gateway-webhook.ts';
import { createRandom } from '../../../harness/random.ts';
import { disputed, paid, refunded } from './payment-events.ts';
import { paymentSteps } from './payment-steps.ts';
import {
  insertLink,
  insertOrder,
  insertSubscription,
  insertVendor,
  type Json,
  useScene,
} from './scene.ts';

const isLong = process.env.TEST_LONG === '1';
const ORDERS = isLong ? 500 : 8;
/** Hundreds of permutations take a long time. */
const LONG = isLong ? { timeout: 3_600_000 } : {};
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const scene = useScene();
const { billing, byom, wake, walletOf } = paymentSteps(scene);

/** The complete state of an account, without values that always differ between accounts. */
async function stateOf(accountId: string): Promise<Json> {
  const tables = [
    'payments',
    'disputes',
    'settlements',
    'links',
    'orders',
    'subscriptions',
    'vendors',
    'refunds',
  ];
  const rows = await Promise.all(
    tables.map(table =>
      scene().sql(
        `SELECT to_jsonb(t) - '{id,account_id,workspace_id,payer_organization_id,created_at,updated_at}'::text[]
           AS row FROM gateway_${table} t WHERE account_id = $1`,
        [accountId],
      ),
    ),
  );
  const effects = await scene().sql(
    `SELECT name, object_kind, object_id FROM gateway_effects WHERE account_id = $1`,
    [accountId],
  );
  const sorted = (list: readonly unknown[]) => list.map(item => JSON.stringify(item)).toSorted();
  return Object.fromEntries([
    ...tables.map((table, index) => [table, sorted(rows[index]!)] as const),
    ['effects', sorted(effects)],
  ]);
}

describe('in every order', () => {
  async function sampleObjects(accountId: string) {
    const options = { accountId, workspaceId: accountId };
    await insertLink(scene(), {
      ...options,
      linkId: 'payment_ps11',
      cfId: '1576977',
      amountMinor: 20_012,
    });
    for (const id of ['order_OFR_2', 'order_83', 'sampleorder0413'])
      await insertOrder(scene(), id, options);
    for (const id of ['mozh4iRHSsjre7GkDNz', 'mozuyYwUCbWEfJVVRLi'])
      await insertSubscription(scene(), id, options);
    await insertVendor(scene(), 'status002', options);
  }

  test(
    `the samples end in the same state, with the same effects (SEED=${seed})`,
    LONG,
    async () => {
      const random = createRandom(seed);
      const states: Json[] = [];
      for (let round = 0; round < ORDERS; round++) {
        const { accountId } = await byom();
        await sampleObjects(accountId);
        const samples = [...GATEWAY_SAMPLES, random.pick(GATEWAY_SAMPLES)];
        if (round > 0) random.shuffle(samples);
        for (const [index, [name, body]] of samples.entries()) {
          await scene().receive(body, { accountId, key: `${index} ${name}` });
          // Processes events one after the other in every second round, otherwise all at once.
          if (round % 2 === 0) await scene().work();
        }
        await scene().work();
        states.push(await stateOf(accountId));
      }
      expect(
        JSON.stringify(states[0]).match(/"status\\":\\"(?:SUCCESS|USER_DROPPED|PAID)\\"/g),
      ).toHaveLength(14);
      for (const state of states) expect(state).toEqual(states[0]);
    },
  );

  test('the events of a payment give the referrer the same result', LONG, async () => {
    const lives: unknown[] = [];
    const at = (minute: number) => `2026-01-15T11:${minute}:00+05:30`;
    for (const order of permutationsOf(6, isLong ? 720 : 12)) {
      const payment = await billing();
      const events = [
        paid(payment, 'FAILED'),
        paid(payment),
        refunded(payment, 100, 'PENDING'),
        refunded(payment, 100),
        disputed(payment, 'CREATED', at(20)),
        disputed(payment, 'MERCHANT_WON', at(30)),
      ];
      for (const [key, index] of order.entries())
        await scene().receive(events[index]!, { key: `${payment.paymentId} ${key}` });
      await scene().work();
      await wake();
      await scene().work();
      const rows = await scene().sql(
        `SELECT payment.status, refund.status AS refund, dispute.status AS dispute,
           link.status AS link, link.amount_paid_minor, link.refunded_minor
         FROM gateway_payments payment JOIN gateway_links link USING (link_id)
         JOIN gateway_refunds refund ON refund.cf_payment_id = payment.cf_payment_id
         JOIN gateway_disputes dispute ON dispute.cf_payment_id = payment.cf_payment_id
         WHERE payment.cf_payment_id = $1`,
        [payment.paymentId],
      );
      lives.push({ rows, wallet: await walletOf(payment.referrerId) });
    }
    // A tenth of 1,000, minus a tenth of the refunded 100.
    expect(lives[0]).toEqual({
      rows: [
        {
          status: 'SUCCESS',
          refund: 'SUCCESS',
          dispute: 'CHARGEBACK_MERCHANT_WON',
          link: 'PAID',
          amount_paid_minor: '100000',
          refunded_minor: '10000',
        },
      ],
      wallet: { PENDING: 9_000 },
    });
    for (const life of lives) expect(life).toEqual(lives[0]);
  });
});

function permutationsOf(length: number, count: number): readonly (readonly number[])[] {
  const identity = Array.from({ length }, (_, index) => index);
  const shuffled = fc.sample(fc.shuffledSubarray(identity, { minLength: length }), {
    numRuns: count - 2,
    seed,
  });
  return [identity, identity.toReversed(), ...shuffled];
}
