import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { expireReservations } from '../../../../graphql-api/partner/expire-reservations.job.ts';
import { releaseDueCredits } from '../../../../graphql-api/partner/release-credits.job.ts';
import { useMoney } from './money.ts';
import { expectRefusal } from './refusal.ts';

const money = useMoney();

/** Creates a referrer with available credits. */
async function withCredits(creditsMinor: bigint): Promise<string> {
  const { referrer, referee } = await money().referral();
  await money().pay(referee, creditsMinor * 10n);
  money().advanceDays(31);
  await releaseDueCredits(money().deps, money().today());
  return referrer;
}

function invoice(invoiceTotalMinor: bigint, amountMinor: bigint, invoiceId: string = uuidv7()) {
  return { invoiceId, invoiceTotalMinor, amountMinor };
}

describe('a redemption', () => {
  test('is at most the balance', async () => {
    const referrer = await withCredits(1_000n);
    await expectRefusal(money().redeem(referrer, invoice(9_000n, 1_001n)), 'INSUFFICIENT_BALANCE');
    await money().redeem(referrer, invoice(9_000n, 1_000n));
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 0n,
      creditsRedeemedMinor: 1_000n,
    });
  });

  test('without a wallet there is no balance', async () => {
    const { referrer } = await money().referral();
    await expectRefusal(money().redeem(referrer, invoice(100n, 1n)), 'INSUFFICIENT_BALANCE');
  });

  test('is at most half of the invoice, to the minor unit', async () => {
    const referrer = await withCredits(1_000n);
    await expectRefusal(money().redeem(referrer, invoice(999n, 500n)), 'REDEMPTION_CAP_EXCEEDED');
    await money().redeem(referrer, invoice(999n, 499n));
  });

  test('half of an invoice is the limit for all redemptions together, even concurrent ones', async () => {
    const referrer = await withCredits(10_000n);
    const { invoiceId } = invoice(1_000n, 200n);
    await money().registerInvoice(referrer, invoiceId, 1_000n);
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => money().redeem(referrer, invoice(1_000n, 200n, invoiceId))),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await money().redeem(referrer, invoice(1_000n, 100n, invoiceId));
    await expectRefusal(
      money().redeem(referrer, invoice(1_000n, 1n, invoiceId)),
      'REDEMPTION_CAP_EXCEEDED',
    );
    expect(await money().wallet(referrer)).toMatchObject({ creditsRedeemedMinor: 500n });
  });

  test.each([0n, -1n, 10n ** 15n + 1n])('an amount of %s is refused', async amount => {
    const { referrer } = await money().referral();
    await expectRefusal(money().redeem(referrer, invoice(100n, amount)), 'BAD_USER_INPUT');
    await expectRefusal(money().redeem(referrer, invoice(amount, 1n)), 'BAD_USER_INPUT');
  });

  test('with the same key is performed once', async () => {
    const referrer = await withCredits(1_000n);
    const input = invoice(1_000n, 100n);
    const answers = await Promise.all([1, 2].map(() => money().redeem(referrer, input, 'key-1')));
    expect(answers[0]).toEqual(answers[1]);
    await expectRefusal(
      money().redeem(referrer, { ...input, amountMinor: 101n }, 'key-1'),
      'IDEMPOTENCY_KEY_MISMATCH',
    );
    expect(await money().wallet(referrer)).toMatchObject({ creditsRedeemedMinor: 100n });
  });
});

describe('a registered invoice', () => {
  test.each(['SMS', 'MESSAGING_APP', 'RCS', 'EMAIL'] as const)(
    'for the costs of %s accepts no credits',
    async channel => {
      const referrer = await withCredits(1_000n);
      const { invoiceId } = invoice(1_000n, 100n);
      await money().registerInvoice(referrer, invoiceId, 1_000n, channel);
      await expectRefusal(
        money().redeem(referrer, invoice(1_000n, 100n, invoiceId)),
        'PASSTHROUGH_INVOICE',
      );
      expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 1_000n });
    },
  );

  test('keeps its total', async () => {
    const referrer = await withCredits(1_000n);
    const { invoiceId } = invoice(1_000n, 100n);
    await money().registerInvoice(referrer, invoiceId, 1_000n);
    await expectRefusal(
      money().redeem(referrer, invoice(2_000n, 100n, invoiceId)),
      'INVOICE_MISMATCH',
    );
  });

  test('is registered once, by one organization', async () => {
    const [one, other] = [await money().organization(), await money().organization()];
    const id = uuidv7();
    await money().registerInvoice(one, id, 1_000n);
    await money().registerInvoice(one, id, 1_000n);
    await expectRefusal(money().registerInvoice(one, id, 1_001n), 'INVOICE_ALREADY_REGISTERED');
    await expectRefusal(
      money().registerInvoice(one, id, 1_000n, 'SMS'),
      'INVOICE_ALREADY_REGISTERED',
    );
    await expectRefusal(money().registerInvoice(other, id, 1_000n), 'INVOICE_ALREADY_REGISTERED');
    await expectRefusal(money().registerInvoice(uuidv7(), uuidv7(), 1_000n), 'NOT_FOUND');
  });
});

describe('an unknown invoice', () => {
  test('creates a reservation, which is captured when the invoice is registered with the same values', async () => {
    const referrer = await withCredits(1_000n);
    const input = invoice(1_000n, 300n);
    await money().redeem(referrer, input);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 700n,
      creditsReservedMinor: 300n,
      creditsRedeemedMinor: 300n,
    });
    await money().registerInvoice(referrer, input.invoiceId, 1_000n);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 700n,
      creditsReservedMinor: 0n,
      creditsRedeemedMinor: 300n,
    });
  });

  test.each([
    ['another total', 1_001n, undefined],
    ['a channel’s costs', 1_000n, 'SMS'],
  ] as const)('is released if it is registered with %s', async (_what, total, channel) => {
    const referrer = await withCredits(1_000n);
    const input = invoice(1_000n, 300n);
    await money().redeem(referrer, input);
    await money().registerInvoice(referrer, input.invoiceId, total, channel);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 1_000n,
      creditsReservedMinor: 0n,
      creditsRedeemedMinor: 0n,
    });
  });

  test('is released after 30 days, not before, and once', async () => {
    const referrer = await withCredits(1_000n);
    await money().redeem(referrer, invoice(1_000n, 300n));
    money().advanceDays(29);
    await expireReservations(money().deps);
    expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 700n });
    money().advanceDays(1);
    await Promise.all([expireReservations(money().deps), expireReservations(money().deps)]);
    expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 1_000n });
  });

  test('is released by the next run if it belongs to another organization', async () => {
    const referrer = await withCredits(1_000n);
    const input = invoice(1_000n, 300n);
    await money().redeem(referrer, input);
    await money().registerInvoice(await money().organization(), input.invoiceId, 1_000n);
    await expireReservations(money().deps);
    expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 1_000n });
  });

  test('that is registered during a redemption is either captured or released', async () => {
    const referrer = await withCredits(1_000n);
    const input = invoice(1_000n, 300n);
    await Promise.all([
      money().redeem(referrer, input),
      money().registerInvoice(referrer, input.invoiceId, 1_000n),
    ]);
    const [redemption] = await money().sql('SELECT status FROM redemptions WHERE invoice_id = $1', [
      input.invoiceId,
    ]);
    expect(redemption).toEqual({ status: 'CAPTURED' });
  });
});
