import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { releaseDueCredits } from '../../../../graphql-api/partner/release-credits.job.ts';
import { DAY_MS, useMoney } from './money.ts';
import { expectRefusal } from './refusal.ts';

const money = useMoney();

type Kyc = { isApproved?: boolean; hasPan?: boolean; hasGst?: boolean };

async function setKyc(
  organizationId: string,
  { isApproved = true, hasPan = true, hasGst = false }: Kyc,
) {
  await money().sql(
    `INSERT INTO affiliate_profiles (organization_id, kyc_status, has_pan_verified, has_gst)
     VALUES ($1, $2, $3, $4) ON CONFLICT (organization_id) DO UPDATE
     SET kyc_status = excluded.kyc_status, has_pan_verified = excluded.has_pan_verified,
         has_gst = excluded.has_gst`,
    [organizationId, isApproved ? 'KYC_APPROVED' : 'KYC_PENDING', hasPan, hasGst],
  );
}

/** An affiliate with cash that is old enough for a payout. */
async function withCash(cashMinor: bigint, kyc: Kyc = {}) {
  const referral = await money().referral({ status: 'AFFILIATE', referees: 2 });
  await money().pay(referral.referee, cashMinor * 5n);
  await setKyc(referral.referrer, kyc);
  money().advanceDays(30);
  return referral;
}

function payoutRow(id: string) {
  return money()
    .sql(
      'SELECT status, gross_minor, tax_rate_bps, tax_minor, net_minor FROM payouts WHERE id = $1',
      [id],
    )
    .then(([row]) => row);
}

describe('the request of a payout', () => {
  test('is checked in the order KYC, minimum, balance, age', async () => {
    const { referrer, referees } = await withCash(200_000n, { isApproved: false });
    await expectRefusal(money().requestPayout(referrer, 1n), 'KYC_NOT_APPROVED');
    await setKyc(referrer, {});
    await expectRefusal(money().requestPayout(referrer, 99_999n), 'BELOW_MIN_THRESHOLD');
    await expectRefusal(money().requestPayout(referrer, 200_001n), 'INSUFFICIENT_BALANCE');
    await money().pay(referees[1]!, 500_000n);
    await expectRefusal(money().requestPayout(referrer, 300_001n), 'INSUFFICIENT_BALANCE');
    await expectRefusal(money().requestPayout(referrer, 200_001n), 'NET30_GUARDRAIL');
    await money().requestPayout(referrer, 200_000n);
    expect(await money().wallet(referrer)).toMatchObject({
      cashBalanceMinor: 100_000n,
      cashInPayoutMinor: 200_000n,
      cashWithdrawnMinor: 0n,
    });
  });

  test('without any cash, the refusal is for the minimum, then for the balance', async () => {
    const { referrer } = await money().referral();
    await setKyc(referrer, {});
    await expectRefusal(money().requestPayout(referrer, 1n), 'BELOW_MIN_THRESHOLD');
    await expectRefusal(money().requestPayout(referrer, 100_000n), 'INSUFFICIENT_BALANCE');
  });

  test('a commission is old enough after 30 days to the millisecond', async () => {
    const { referrer, referee } = await money().referral({ status: 'AFFILIATE' });
    await setKyc(referrer, {});
    await money().pay(referee, 500_000n);
    const { clock } = money().deps;
    const paidMs = clock.nowMs();
    clock.setMs(paidMs + 30 * DAY_MS - 1);
    await expectRefusal(money().requestPayout(referrer, 100_000n), 'NET30_GUARDRAIL');
    clock.setMs(paidMs + 30 * DAY_MS);
    await money().requestPayout(referrer, 100_000n);
  });

  test.each([
    ['nothing verified', { hasPan: false }, 1_000, 10_001n],
    ['a verified tax id', { hasPan: true }, 200, 2_000n],
    ['a GST registration', { hasPan: true, hasGst: true }, 0, 0n],
  ] as const)(
    'with %s, tax is deducted, half a minor unit rounded up',
    async (_what, kyc, rate, tax) => {
      const { referrer } = await withCash(200_000n, kyc);
      const { id } = await money().requestPayout(referrer, 100_005n);
      expect(await payoutRow(id)).toEqual({
        status: 'REQUESTED',
        gross_minor: '100005',
        tax_rate_bps: rate,
        tax_minor: String(tax),
        net_minor: String(100_005n - tax),
      });
    },
  );

  test('succeeds once for two concurrent requests with cash for one', async () => {
    const { referrer } = await withCash(150_000n);
    const attempts = await Promise.allSettled(
      [1, 2].map(() => money().requestPayout(referrer, 100_000n)),
    );
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await money().wallet(referrer)).toMatchObject({ cashBalanceMinor: 50_000n });
  });
});

describe('a payout', () => {
  test('that is paid moves the net to the bank and the tax to the tax account', async () => {
    const { referrer } = await withCash(200_000n);
    const { id } = await money().requestPayout(referrer, 150_000n);
    await money().advancePayout({ id, to: 'PROCESSING' });
    await money().advancePayout({ id, to: 'PAID', bankReference: 'UTR-1' });
    expect(await money().wallet(referrer)).toMatchObject({
      cashBalanceMinor: 50_000n,
      cashInPayoutMinor: 0n,
      cashWithdrawnMinor: 150_000n,
    });
    const platform = await money().sql(
      `SELECT account.kind, sum(entry.amount_minor) AS amount FROM ledger_entries entry
       JOIN ledger_accounts account ON account.id = entry.account_id
       WHERE entry.organization_id = $1 AND account.kind IN ('BANK', 'TAX_PAYABLE')
       GROUP BY account.kind ORDER BY account.kind`,
      [referrer],
    );
    expect(platform).toEqual([
      { kind: 'BANK', amount: '147000' },
      { kind: 'TAX_PAYABLE', amount: '3000' },
    ]);
  });

  test('a repeat changes nothing, another reference is refused', async () => {
    const { referrer } = await withCash(200_000n);
    const { id } = await money().requestPayout(referrer, 150_000n);
    await money().advancePayout({ id, to: 'PROCESSING' });
    const pay = () => money().advancePayout({ id, to: 'PAID', bankReference: 'UTR-1' });
    await Promise.all([pay(), pay()]);
    await pay();
    await expectRefusal(
      money().advancePayout({ id, to: 'PAID', bankReference: 'UTR-2' }),
      'PAYOUT_STATUS',
    );
    expect(await money().wallet(referrer)).toMatchObject({ cashWithdrawnMinor: 150_000n });
  });

  test.each([
    ['REJECTED', []],
    ['FAILED', ['PROCESSING']],
    ['REVERSED', ['PROCESSING', 'PAID']],
  ] as const)('that is %s is returned in full', async (to, before) => {
    const { referrer } = await withCash(200_000n);
    const { id } = await money().requestPayout(referrer, 150_000n);
    for (const step of before) {
      await (step === 'PAID'
        ? money().advancePayout({ id, to: step, bankReference: 'UTR-1' })
        : money().advancePayout({ id, to: step }));
    }
    await money().advancePayout({ id, to, reason: 'the account is closed' });
    expect(await money().wallet(referrer)).toMatchObject({
      cashBalanceMinor: 200_000n,
      cashInPayoutMinor: 0n,
      cashWithdrawnMinor: 0n,
    });
    // Returned cash keeps its age, so it can be paid out immediately.
    await money().requestPayout(referrer, 200_000n);
  });

  test.each([
    ['REQUESTED', ['PAID', 'FAILED', 'REVERSED']],
    ['PROCESSING', ['REJECTED', 'REVERSED']],
    ['PAID', ['PROCESSING', 'REJECTED', 'FAILED']],
    ['REJECTED', ['PROCESSING', 'PAID', 'FAILED', 'REVERSED']],
  ] as const)('that is %s allows no other transition', async (status, targets) => {
    const { referrer } = await withCash(200_000n);
    const { id } = await money().requestPayout(referrer, 150_000n);
    const reason = 'so it is';
    const bankReference = 'UTR-1';
    if (status === 'REJECTED') await money().advancePayout({ id, to: status, reason });
    if (status === 'PROCESSING' || status === 'PAID')
      await money().advancePayout({ id, to: 'PROCESSING' });
    if (status === 'PAID') await money().advancePayout({ id, to: status, bankReference });
    for (const to of targets) {
      const step =
        to === 'PAID'
          ? { id, to, bankReference }
          : to === 'PROCESSING'
            ? { id, to }
            : { id, to, reason };
      await expectRefusal(money().advancePayout(step), 'PAYOUT_STATUS');
    }
  });

  test('goes to the bank only while the KYC is approved; results of the bank are recorded in any case', async () => {
    const { referrer } = await withCash(200_000n);
    const { id: asked } = await money().requestPayout(referrer, 100_000n);
    const { id: sent } = await money().requestPayout(referrer, 100_000n);
    await money().advancePayout({ id: sent, to: 'PROCESSING' });
    await setKyc(referrer, { isApproved: false });
    await expectRefusal(money().advancePayout({ id: asked, to: 'PROCESSING' }), 'KYC_NOT_APPROVED');
    expect(await payoutRow(asked)).toMatchObject({ status: 'REQUESTED' });
    await money().advancePayout({ id: sent, to: 'PAID', bankReference: 'UTR-1' });
    await setKyc(referrer, {});
    await money().advancePayout({ id: asked, to: 'PROCESSING' });
  });

  test('that does not exist is not found, and a reason is needed', async () => {
    await expectRefusal(money().advancePayout({ id: uuidv7(), to: 'PROCESSING' }), 'NOT_FOUND');
    await expectRefusal(
      money().advancePayout({ id: uuidv7(), to: 'FAILED', reason: ' ' }),
      'BAD_USER_INPUT',
    );
  });

  test('whose commission is charged back while it is in progress leaves debt, repaid if it fails', async () => {
    const referral = await money().referral({ status: 'AFFILIATE' });
    const payment = uuidv7();
    await money().pay(referral.referee, 1_000_000n, { id: payment });
    await setKyc(referral.referrer, {});
    money().advanceDays(30);
    const { id } = await money().requestPayout(referral.referrer, 200_000n);
    await money().chargeback(payment);
    expect(await money().wallet(referral.referrer)).toMatchObject({
      cashBalanceMinor: 0n,
      cashInPayoutMinor: 200_000n,
      debtMinor: 200_000n,
    });
    await money().advancePayout({ id, to: 'REJECTED', reason: 'charged back' });
    expect(await money().wallet(referral.referrer)).toMatchObject({
      cashBalanceMinor: 0n,
      cashInPayoutMinor: 0n,
      debtMinor: 0n,
    });
  });
});

describe('credits to cash', () => {
  async function withCredits(): Promise<string> {
    const { referrer, referee } = await money().referral();
    await money().pay(referee, 2_000_000n);
    money().advanceDays(31);
    await releaseDueCredits(money().deps, money().today());
    return referrer;
  }

  test('needs an approved KYC', async () => {
    const referrer = await withCredits();
    await expectRefusal(money().convert(referrer), 'KYC_NOT_APPROVED');
    await setKyc(referrer, { isApproved: false });
    await expectRefusal(money().convert(referrer), 'KYC_NOT_APPROVED');
  });

  test('is 1:1, for a part or all credits, and the age of the cash starts then', async () => {
    const referrer = await withCredits();
    await setKyc(referrer, {});
    await expectRefusal(money().convert(referrer, 200_001n), 'INSUFFICIENT_BALANCE');
    await money().convert(referrer, 50_000n);
    await money().convert(referrer);
    await expectRefusal(money().convert(referrer), 'INSUFFICIENT_BALANCE');
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 0n,
      creditsEarnedMinor: 200_000n,
      creditsConvertedMinor: 200_000n,
      cashBalanceMinor: 200_000n,
      cashEarnedMinor: 0n,
    });
    await expectRefusal(money().requestPayout(referrer, 100_000n), 'NET30_GUARDRAIL');
    money().advanceDays(30);
    await money().requestPayout(referrer, 200_000n);
  });
});
