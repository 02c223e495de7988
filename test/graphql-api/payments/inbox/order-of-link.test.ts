// Events of a link's payment that contain only the order, not the link.

import { describe, expect, test } from 'vitest';
import { disputed, paid, refunded } from './payment-events.ts';
import { paymentSteps } from './payment-steps.ts';
import { type Json, useScene } from './scene.ts';

const scene = useScene();
const { billing, walletOf } = paymentSteps(scene);

describe('events with only the order of a link', () => {
  /** A payment whose first event named its link. Later events contain only its order. */
  async function known() {
    const payment = await billing();
    await scene().receive(paid(payment, 'FAILED'));
    await scene().work();
    return payment;
  }

  test('also pay the link', async () => {
    const payment = await known();
    await scene().receive(paid({ ...payment, cfId: null }));
    await scene().work();
    const [link] = await scene().sql(
      'SELECT status, amount_paid_minor FROM gateway_links WHERE link_id = $1',
      [payment.linkId],
    );
    expect(link).toEqual({ status: 'PAID', amount_paid_minor: '100000' });
  });

  test.for(['before', 'after'])(
    'claw back the earning of the payment, if reported %s it',
    async when => {
      const payment = await known();
      const unnamed = { cf_payment_id: undefined };
      const dispute = disputed(payment, 'CREATED', '2026-01-15T11:20:00+05:30') as {
        data: { order_details: Json };
      };
      const refund = refunded(payment, 100) as { data: { refund: Json } };
      const reversals = [
        { ...refund, data: { refund: { ...refund.data.refund, ...unnamed } } },
        {
          ...dispute,
          data: { ...dispute.data, order_details: { ...dispute.data.order_details, ...unnamed } },
        },
      ];
      const events = [paid(payment), ...reversals];
      for (const event of when === 'after' ? events : events.toReversed()) {
        await scene().receive(event);
        await scene().work();
      }
      const ids = await scene().sql(
        'SELECT kind, payment_id FROM payment_reversals WHERE payment_id = $1 ORDER BY kind',
        [payment.paymentId],
      );
      expect(ids.map(({ kind }) => kind)).toEqual(['CHARGEBACK', 'REFUND']);
      expect(await walletOf(payment.referrerId)).toEqual({});
    },
  );
});
