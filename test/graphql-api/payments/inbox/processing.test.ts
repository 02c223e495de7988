// Events of the inbox take effect once, in any order and with any number of processes, including
// ones that die.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { processDueEvents } from '../../../../graphql-api/payments/inbox/process-gateway-events.ts';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { eventually } from '../../../harness/eventually.ts';
import { GATEWAY_SAMPLES } from '../../../harness/gateway-webhook.ts';
import { createRandom } from '../../../harness/random.ts';
import { startApi } from '../../harness/api-process.ts';
import { dyingDeps } from '../../partner/ledger/dying-deps.ts';
import {
  gatewayEvent,
  insertLink,
  insertOrder,
  insertReferral,
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

/** A workspace with its own merchant account. */
async function byom() {
  const { workspaceId, organizationId } = await scene().tenant();
  return { workspaceId, organizationId, accountId: workspaceId };
}

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

async function walletOf(organizationId: string) {
  const rows = await scene().sql(
    `SELECT kind, balance_minor FROM ledger_accounts WHERE organization_id = $1 AND balance_minor <> 0`,
    [organizationId],
  );
  return Object.fromEntries(rows.map(({ kind, balance_minor }) => [kind, Number(balance_minor)]));
}

/** A link with which a referred organization pays the platform. */
async function billing() {
  const { referrerId, refereeId } = await insertReferral(scene());
  const link = await insertLink(scene(), {
    accountId: PLATFORM_ACCOUNT_ID,
    payerOrganizationId: refereeId,
  });
  return { referrerId, refereeId, ...link, paymentId: `p${randomUUID()}` };
}

type Paid = { readonly paymentId: string; readonly cfId: string | null };

function paid({ paymentId, cfId }: Paid, status = 'SUCCESS', more: Json = {}): Json {
  return gatewayEvent(`PAYMENT_${status}_WEBHOOK`, {
    order: { order_id: `CFPay_${paymentId}`, order_tags: { cf_link_id: cfId } },
    payment: {
      cf_payment_id: paymentId,
      payment_status: status,
      payment_amount: 1000,
      payment_currency: 'INR',
      ...more,
    },
  });
}

function refunded({ paymentId }: Paid, amount: number, status = 'SUCCESS'): Json {
  return gatewayEvent('REFUND_STATUS_WEBHOOK', {
    refund: {
      cf_refund_id: `cf${paymentId}`,
      refund_id: `r${paymentId}`,
      cf_payment_id: paymentId,
      order_id: `CFPay_${paymentId}`,
      refund_amount: amount,
      refund_status: status,
    },
  });
}

function disputed({ paymentId }: Paid, word: string, at: string): Json {
  return gatewayEvent(`DISPUTE_${word === 'CREATED' ? 'CREATED' : 'CLOSED'}`, {
    dispute: {
      dispute_id: `d${paymentId}`,
      dispute_type: 'CHARGEBACK',
      dispute_status: `CHARGEBACK_${word}`,
      dispute_amount: 1000,
      updated_at: at,
    },
    order_details: { cf_payment_id: paymentId, order_id: `CFPay_${paymentId}` },
  });
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

/** Makes events due that wait for another one. */
async function wake(): Promise<void> {
  await scene().sql(
    `UPDATE gateway_events SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL`,
  );
}

function permutationsOf(length: number, count: number): readonly (readonly number[])[] {
  const identity = Array.from({ length }, (_, index) => index);
  const shuffled = fc.sample(fc.shuffledSubarray(identity, { minLength: length }), {
    numRuns: count - 2,
    seed,
  });
  return [identity, identity.toReversed(), ...shuffled];
}

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
