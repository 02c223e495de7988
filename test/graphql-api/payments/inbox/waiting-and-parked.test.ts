// Events that wait, fail or are parked, and do not block others.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { processDueEvents } from '../../../../graphql-api/payments/inbox/process-gateway-events.ts';
import { paid } from './payment-events.ts';
import { paymentSteps } from './payment-steps.ts';
import { gatewayEvent, useScene } from './scene.ts';

const scene = useScene();
const { billing, byom, wake, walletOf } = paymentSteps(scene);

describe('events that cannot be applied yet', () => {
  test('a payment of a link without a known gateway ID waits for it', async () => {
    const payment = await billing();
    await scene().sql('UPDATE gateway_links SET cf_id = NULL WHERE link_id = $1', [payment.linkId]);
    const id = await scene().receive(paid(payment));
    await scene().work();
    expect(await scene().eventById(id)).toMatchObject({
      state: 'IGNORED',
      error: 'UNKNOWN_OBJECT: order, cf_link',
    });
    await scene().sql(
      `UPDATE gateway_events SET next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    // The link's own event contains the order of the payment.
    await scene().receive(
      gatewayEvent('PAYMENT_LINK_EVENT', {
        cf_link_id: payment.cfId,
        link_id: payment.linkId,
        link_status: 'PAID',
        link_amount_paid: '1000.00',
        order: { order_id: `CFPay_${payment.paymentId}` },
      }),
    );
    await scene().work();
    expect((await scene().eventById(id)).state).toBe('PROCESSED');
    expect(await walletOf(payment.referrerId)).toEqual({ PENDING: 10_000 });
  });

  test('an unreadable event is parked immediately, and does not block others', async () => {
    const bad = await scene().receive(
      gatewayEvent('PAYMENT_SUCCESS_WEBHOOK', {
        payment: { cf_payment_id: uuidv7(), payment_status: 'SUCCESS', payment_amount: 'ten' },
      }),
    );
    const payment = await billing();
    const good = await scene().receive(paid(payment));
    await scene().work();
    expect(await scene().eventById(bad)).toMatchObject({
      state: 'PARKED',
      error: 'UNREADABLE: payment_amount is not a valid amount',
      next_attempt_at: null,
    });
    expect((await scene().eventById(good)).state).toBe('PROCESSED');
  });

  test('an event that fails repeatedly is parked, with a reason that contains no value', async () => {
    const payment = await billing();
    await scene().receive(paid(payment));
    await scene().work();
    const id = await scene().receive(paid(payment, 'SUCCESS', { payment_amount: 2000 }), {
      key: `other amount ${payment.paymentId}`,
    });
    for (let attempt = 1; attempt <= 10; attempt++) {
      await scene().work();
      expect(await scene().eventById(id)).toMatchObject({
        attempts: attempt,
        state: attempt < 10 ? 'FAILED' : 'PARKED',
        error: 'REFUSED: PAYMENT_MISMATCH',
      });
      await wake();
    }
    expect(await walletOf(payment.referrerId)).toEqual({ PENDING: 10_000 });
  });

  test('a flood of one account does not block others', async () => {
    const { accountId } = await byom();
    const flood = Array.from({ length: 150 }, (_, index) => gatewayEvent('NEWS', { index }));
    await Promise.all(flood.map(event => scene().receive(event, { accountId })));
    const payment = await billing();
    const id = await scene().receive(paid(payment));
    await processDueEvents(scene().deps);
    expect((await scene().eventById(id)).state).toBe('PROCESSED');
    await scene().work();
  });

  test('an event that waited long for an unknown object is not parked by its first failure', async () => {
    const payment = await billing();
    await scene().receive(paid(payment));
    await scene().work();
    const id = await scene().receive(paid(payment, 'SUCCESS', { payment_amount: 2000 }), {
      key: `waited for ${payment.paymentId}`,
    });
    await scene().sql(`UPDATE gateway_events SET state = 'IGNORED', attempts = 12 WHERE id = $1`, [
      id,
    ]);
    await scene().work();
    expect(await scene().eventById(id)).toMatchObject({ state: 'FAILED', attempts: 1 });
  });

  test('an unknown type is stored and ignored, and belongs to its workspace', async () => {
    const { accountId } = await byom();
    const id = await scene().receive(gatewayEvent('NEWS_OF_TOMORROW', {}), { accountId });
    // Like ingest, which stores the workspace whose secret signed the event.
    await scene().sql('UPDATE gateway_events SET workspace_id = account_id WHERE id = $1', [id]);
    await scene().work();
    expect(await scene().eventById(id)).toMatchObject({
      state: 'IGNORED',
      next_attempt_at: null,
      workspace_id: accountId,
    });
  });
});
