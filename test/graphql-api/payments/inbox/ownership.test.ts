// Whose payment a gateway event reports: the platform's or a workspace's. Only a payment to the
// platform earns a reward.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { paid } from './payment-events.ts';
import { paymentSteps } from './payment-steps.ts';
import { gatewayEvent, insertReferral, insertSubscription, useScene } from './scene.ts';

const scene = useScene();
const { billing, byom, walletOf } = paymentSteps(scene);

describe('ownership', () => {
  test('a payment to the platform signed with a workspace’s own secret earns no reward', async () => {
    const payment = await billing();
    const { accountId } = await byom();
    const id = await scene().receive(paid(payment), { accountId });
    await scene().work();
    expect(await walletOf(payment.referrerId)).toEqual({});
    expect(
      await scene().sql('SELECT 1 FROM payment_facts WHERE id = $1', [payment.paymentId]),
    ).toEqual([]);
    expect((await scene().eventById(id)).workspace_id).toBe(accountId);
    const [link] = await scene().sql('SELECT status FROM gateway_links WHERE link_id = $1', [
      payment.linkId,
    ]);
    expect(link).toEqual({ status: 'ACTIVE' });
  });

  test('only the workspace that the platform’s gateway returns is notified', async () => {
    const [mine, other] = [await scene().tenant(), await scene().tenant()];
    const event = (workspaceId: string) =>
      gatewayEvent('PAYMENT_LINK_EVENT', {
        link_id: `seen-${randomUUID()}`,
        link_status: 'PAID',
        link_amount: '10.00',
        link_amount_paid: '10.00',
        link_notes: { workspace_id: workspaceId },
      });
    const id = await scene().receive(event(mine.workspaceId));
    // A workspace signs an event that names another workspace.
    await scene().receive(event(other.workspaceId), { accountId: (await byom()).accountId });
    await scene().sql('UPDATE gateway_events SET request_id = $1 WHERE id = $2', [
      'of-the-webhook',
      id,
    ]);
    await scene().work();
    expect(await scene().eventById(id)).toMatchObject({
      state: 'PROCESSED',
      workspace_id: mine.workspaceId,
    });
    const told = (workspaceId: string) =>
      scene().sql(
        'SELECT table_name, row FROM ingest_outbox WHERE workspace_id = $1 ORDER BY table_name',
        [workspaceId],
      );
    expect(await told(other.workspaceId)).toEqual([]);
    const [card, delivery] = await told(mine.workspaceId);
    expect(card).toMatchObject({
      table_name: 'activity_cards_raw',
      row: { kind: 'payment_link.paid' },
    });
    expect(delivery).toMatchObject({
      table_name: 'deliveries_raw',
      row: { channel: 'payment', status: 'paid', event_type: 'payment_link.paid' },
    });
    const outbound = await scene().sql(
      'SELECT type, payload, request_id FROM outbound_events WHERE workspace_id = $1',
      [mine.workspaceId],
    );
    expect(outbound).toMatchObject([
      {
        type: 'payment_link.paid',
        payload: { amount_paid: '10.00' },
        request_id: 'of-the-webhook',
      },
    ]);
  });

  test('the debit that verifies the platform’s mandate is not income, but its renewals are', async () => {
    const { referrerId, refereeId } = await insertReferral(scene());
    const subscriptionId = `sub-${randomUUID()}`;
    await insertSubscription(scene(), subscriptionId, {
      accountId: PLATFORM_ACCOUNT_ID,
      payerOrganizationId: refereeId,
    });
    const debit = (type: string, amount: number, status = 'SUCCESS', retry = 0) =>
      gatewayEvent(`SUBSCRIPTION_PAYMENT_${status}`, {
        cf_payment_id: `${type}-${subscriptionId}`,
        subscription_id: subscriptionId,
        payment_type: type,
        payment_status: status,
        payment_amount: amount,
        retry_attempts: retry,
      });
    await scene().receive(debit('AUTH', 2));
    await scene().work();
    expect(await walletOf(referrerId)).toEqual({});
    for (const retry of [0, 1, 2]) await scene().receive(debit('CHARGE', 399, 'FAILED', retry));
    await scene().work();
    expect(await walletOf(referrerId)).toEqual({});
    await scene().receive(debit('CHARGE', 399));
    await scene().work();
    expect(await walletOf(referrerId)).toEqual({ PENDING: 3_990 });
    const names = await scene().sql(
      `SELECT name, count(*)::int FROM gateway_effects
       WHERE object_id = $1 OR object_id = $2 GROUP BY name ORDER BY name`,
      [`CHARGE-${subscriptionId}`, `AUTH-${subscriptionId}`],
    );
    expect(names).toEqual([
      { name: 'mandate.authorized', count: 1 },
      { name: 'subscription.renewal_failed', count: 3 },
      { name: 'subscription.renewal_succeeded', count: 1 },
    ]);
  });
});
