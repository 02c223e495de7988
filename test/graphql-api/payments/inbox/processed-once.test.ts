// Each event of the inbox takes effect once, with any number of processes, including ones that die.

import { describe, expect, test } from 'vitest';
import { processDueEvents } from '../../../../graphql-api/payments/inbox/process-gateway-events.ts';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { eventually } from '../../../harness/eventually.ts';
import { startApi } from '../../harness/api-process.ts';
import { dyingDeps } from '../../partner/ledger/dying-deps.ts';
import { paid } from './payment-events.ts';
import { paymentSteps } from './payment-steps.ts';
import { insertLink, useScene } from './scene.ts';

const scene = useScene();
const { billing, wake, walletOf } = paymentSteps(scene);

describe('once', () => {
  test('100 concurrent events of one payment have one effect', async () => {
    const payment = await billing();
    const managed = await scene().tenant();
    const { linkId } = await insertLink(scene(), {
      accountId: PLATFORM_ACCOUNT_ID,
      workspaceId: managed.workspaceId,
      cfId: `cf-${payment.paymentId}`,
    });
    const tenants = { paymentId: `t${payment.paymentId}`, cfId: `cf-${payment.paymentId}` };
    await Promise.all(
      Array.from({ length: 100 }, (_, copy) =>
        scene().receive(paid(copy % 2 === 0 ? payment : tenants), {
          key: `${payment.paymentId} ${copy}`,
        }),
      ),
    );
    await Promise.all(Array.from({ length: 3 }, () => scene().work()));
    expect(await walletOf(payment.referrerId)).toEqual({ PENDING: 10_000 });
    const [counts] = await scene().sql(
      `SELECT (SELECT count(*) FROM earnings WHERE payment_id = $1) AS earnings,
         (SELECT count(*) FROM outbound_events WHERE workspace_id = $2) AS told,
         (SELECT count(*) FROM ingest_outbox WHERE workspace_id = $2) AS rows,
         (SELECT amount_paid_minor FROM gateway_links WHERE link_id = $3) AS paid,
         (SELECT count(*) FROM gateway_events WHERE event_key LIKE $1 || '%' AND state = 'PROCESSED') AS processed`,
      [payment.paymentId, managed.workspaceId, linkId],
    );
    expect(counts).toEqual({
      earnings: '1',
      told: '1',
      rows: '2',
      paid: '100000',
      processed: '100',
    });
  });

  test('in a process that is killed after any statement', async () => {
    let wentThrough = false;
    for (let statement = 1; !wentThrough; statement++) {
      const payment = await billing();
      const id = await scene().receive(paid(payment));
      const dying = dyingDeps(scene().deps, { afterStatement: statement });
      await processDueEvents(dying.deps).catch(() => undefined);
      wentThrough = (await scene().eventById(id)).state === 'PROCESSED';
      const before = await walletOf(payment.referrerId);
      expect(before).toEqual(wentThrough ? { PENDING: 10_000 } : {});
      await wake();
      await scene().work();
      expect(await walletOf(payment.referrerId)).toEqual({ PENDING: 10_000 });
      expect((await scene().eventById(id)).state).toBe('PROCESSED');
    }
  });

  test('in an API process that is killed', async () => {
    const payments = await Promise.all(Array.from({ length: 40 }, () => billing()));
    const env = {
      DATABASE_APP_URL: scene().urls.app,
      DATABASE_SYSTEM_URL: scene().urls.system,
    };
    const processed = async () => {
      const [row] = await scene().sql(
        `SELECT count(*)::int AS count FROM gateway_events
         WHERE state = 'PROCESSED' AND event_key = ANY ($1)`,
        [payments.map(({ paymentId }) => `kill ${paymentId}`)],
      );
      return row!.count as number;
    };
    const first = await startApi({ env });
    await Promise.all(
      payments.map(payment => scene().receive(paid(payment), { key: `kill ${payment.paymentId}` })),
    );
    await eventually(async () => expect(await processed()).toBeGreaterThan(0), { intervalMs: 1 });
    process.kill(first.pid, 'SIGKILL');
    const second = await startApi({ env });
    try {
      await eventually(async () => expect(await processed()).toBe(payments.length));
    } finally {
      await second.stop();
    }
    for (const { referrerId } of payments)
      expect(await walletOf(referrerId)).toEqual({ PENDING: 10_000 });
    const [ledger] = await scene().sql(
      `SELECT count(*)::int AS count FROM ledger_transactions WHERE organization_id = ANY ($1::uuid[])`,
      [payments.map(({ referrerId }) => referrerId)],
    );
    expect(ledger!.count).toBe(payments.length);
  });
});
