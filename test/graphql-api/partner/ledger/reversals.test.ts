import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { releaseDueCredits } from '../../../../graphql-api/partner/release-credits.job.ts';
import { useMoney } from './money.ts';
import { expectRefusal } from './refusal.ts';

const money = useMoney();

/** A referrer whose referee made a first payment of 1,000.00, which earned 100.00 in credits. */
async function paid(options: { status?: 'USER' | 'AFFILIATE' } = {}) {
  const referral = await money().referral({ referees: 2, ...options });
  const payment = uuidv7();
  await money().pay(referral.referee, 100_000n, { id: payment });
  return { ...referral, payment };
}

async function released(): ReturnType<typeof paid> {
  const referral = await paid();
  money().advanceDays(31);
  await releaseDueCredits(money().deps, money().today());
  return referral;
}

describe('refunds', () => {
  test('any partial ones add up to the exact credit', async () => {
    const referral = await money().referral();
    const payment = uuidv7();
    await money().pay(referral.referee, 99_999n, { id: payment });
    const seen: bigint[] = [];
    for (const part of [33_333n, 33_333n, 33_332n, 1n]) {
      await money().refund(payment, part);
      seen.push((await money().wallet(referral.referrer)).creditsPendingMinor);
    }
    // 10,000 - floor(10,000 * refunded / 99,999), not a sum of rounded amounts.
    expect(seen).toEqual([6_667n, 3_334n, 1n, 0n]);
  });

  test('a repeated refund counts once, and an excessive refund takes at most the earning', async () => {
    const { referrer, payment } = await paid();
    const id = uuidv7();
    await Promise.all([1, 2].map(() => money().refund(payment, 50_000n, id)));
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 5_000n });
    await expectRefusal(money().refund(payment, 50_001n, id), 'PAYMENT_MISMATCH');
    await money().refund(payment, 70_000n);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsPendingMinor: 0n,
      creditsEarnedMinor: 0n,
      debtMinor: 0n,
    });
  });

  test('credit clawed back while held is never released', async () => {
    const { referrer, payment } = await paid();
    await money().refund(payment, 25_000n);
    money().advanceDays(31);
    await releaseDueCredits(money().deps, money().today());
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 7_500n,
      creditsEarnedMinor: 7_500n,
    });
  });

  test('of one payment do not affect the credit of another', async () => {
    const { referrer, referees, payment } = await paid();
    await money().pay(referees[1]!, 10_000n);
    await money().refund(payment, 100_000n);
    const earnings = await money().sql(
      'SELECT status, clawed_minor FROM earnings WHERE organization_id = $1 ORDER BY amount_minor',
      [referrer],
    );
    expect(earnings).toEqual([
      { status: 'PENDING', clawed_minor: '0' },
      { status: 'VOIDED', clawed_minor: '10000' },
    ]);
  });
});

describe('chargebacks', () => {
  test('after the release it is debited from the credits', async () => {
    const { referrer, payment } = await released();
    await money().chargeback(payment);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 0n,
      creditsEarnedMinor: 0n,
      debtMinor: 0n,
    });
  });

  test('before its payment is known, it takes back what the payment earns', async () => {
    const { referrer, referee } = await money().referral();
    const [payment, dispute] = [uuidv7(), uuidv7()];
    await money().chargeback(payment, dispute);
    await money().pay(referee, 100_000n, { id: payment });
    expect(await money().wallet(referrer)).toMatchObject({
      creditsPendingMinor: 0n,
      creditsEarnedMinor: 0n,
    });
    const live = () =>
      money().sql(
        'SELECT live_payments FROM referee_relations WHERE referee_organization_id = $1',
        [referee],
      );
    expect(await live()).toEqual([{ live_payments: 0 }]);
    await money().chargebackWon(payment, dispute);
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 10_000n });
    expect(await live()).toEqual([{ live_payments: 1 }]);
  });

  test('a won chargeback restores the earning by a new posting, except for refunded amounts', async () => {
    const { referrer, payment } = await released();
    const dispute = uuidv7();
    await money().refund(payment, 30_000n);
    await money().chargeback(payment, dispute);
    await money().chargebackWon(payment, dispute);
    await money().chargebackWon(payment, dispute);
    await money().chargeback(payment, dispute);
    expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 7_000n });
    const postings = await money().sql(
      `SELECT posting.kind, posting.amount_minor, reversed.kind AS reversed
       FROM ledger_transactions posting
       JOIN ledger_transactions reversed ON reversed.id = posting.reverses_id
       WHERE posting.organization_id = $1 ORDER BY posting.id`,
      [referrer],
    );
    expect(postings).toEqual([
      { kind: 'CLAW_BACK', amount_minor: '3000', reversed: 'EARN_CREDIT' },
      { kind: 'CLAW_BACK', amount_minor: '7000', reversed: 'EARN_CREDIT' },
      { kind: 'RESTORE', amount_minor: '7000', reversed: 'CLAW_BACK' },
    ]);
  });

  test('the event that it is won may arrive first', async () => {
    const { referrer, payment } = await paid();
    const dispute = uuidv7();
    await money().chargebackWon(payment, dispute);
    await money().chargeback(payment, dispute);
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 10_000n });
  });

  test('two disputes of a payment take it back once, and both must be won', async () => {
    const { referrer, payment } = await paid();
    const [first, second] = [uuidv7(), uuidv7()];
    await Promise.all([money().chargeback(payment, first), money().chargeback(payment, second)]);
    await money().chargebackWon(payment, first);
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 0n });
    await money().chargebackWon(payment, second);
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 10_000n });
  });

  test('credit restored after its release date is released by the next run', async () => {
    const { referrer, payment } = await paid();
    const dispute = uuidv7();
    await money().chargeback(payment, dispute);
    money().advanceDays(40);
    await releaseDueCredits(money().deps, money().today());
    await money().chargebackWon(payment, dispute);
    expect(await money().wallet(referrer)).toMatchObject({ creditsPendingMinor: 10_000n });
    await releaseDueCredits(money().deps, money().today());
    expect(await money().wallet(referrer)).toMatchObject({
      creditsPendingMinor: 0n,
      creditsBalanceMinor: 10_000n,
    });
  });
});

describe('debt', () => {
  test('a shortfall is debt, and later earnings repay it first, when they become available', async () => {
    const { referrer, referees, payment } = await released();
    const invoice = { invoiceId: 'inv-1', invoiceTotalMinor: 16_000n, amountMinor: 8_000n };
    await money().registerInvoice(referrer, `${referrer}-1`, 16_000n);
    await money().redeem(referrer, { ...invoice, invoiceId: `${referrer}-1` });
    await money().chargeback(payment);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 0n,
      creditsEarnedMinor: 0n,
      creditsRedeemedMinor: 8_000n,
      debtMinor: 8_000n,
    });

    await money().pay(referees[1]!, 90_000n);
    expect(await money().wallet(referrer)).toMatchObject({
      creditsPendingMinor: 9_000n,
      debtMinor: 8_000n,
    });
    money().advanceDays(31);
    await releaseDueCredits(money().deps, money().today());
    expect(await money().wallet(referrer)).toMatchObject({
      creditsPendingMinor: 0n,
      creditsBalanceMinor: 1_000n,
      debtMinor: 0n,
    });
  });

  test('a commission repays it immediately', async () => {
    const { referrer, referees, payment } = await released();
    await money().redeem(referrer, {
      invoiceId: `${referrer}-2`,
      invoiceTotalMinor: 20_000n,
      amountMinor: 10_000n,
    });
    await money().chargeback(payment);
    await money().sql(
      `UPDATE partner_profiles SET partner_status = 'AFFILIATE' WHERE organization_id = $1`,
      [referrer],
    );
    await money().pay(referees[1]!, 60_000n);
    expect(await money().wallet(referrer)).toMatchObject({
      cashEarnedMinor: 12_000n,
      cashBalanceMinor: 2_000n,
      debtMinor: 0n,
    });
  });

  test('converted credits are taken from the cash before there is debt', async () => {
    const { referrer, payment } = await released();
    await money().sql(
      `INSERT INTO affiliate_profiles (organization_id, kyc_status) VALUES ($1, 'KYC_APPROVED')`,
      [referrer],
    );
    await money().convert(referrer);
    await money().chargeback(payment);
    expect(await money().wallet(referrer)).toMatchObject({ cashBalanceMinor: 0n, debtMinor: 0n });
  });
});
