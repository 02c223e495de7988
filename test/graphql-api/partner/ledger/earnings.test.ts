import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../../../graphql-api/partner/ledger/reconcile.ts';
import { releaseDueCredits } from '../../../../graphql-api/partner/release-credits.job.ts';
import { pendingSchedule } from '../../../../graphql-api/partner/wallet.reads.ts';
import { DAY_MS, START_MS, useMoney } from './money.ts';
import { expectRefusal } from './refusal.ts';

const money = useMoney();

describe('what a payment earns', () => {
  test.each([
    ['INDIA', 'INR', '2026-02-09'],
    ['GLOBAL', 'USD', '2026-03-11'],
  ] as const)(
    'in %s, a USER gets a tenth in credits, held until the release day',
    async (region, currency, date) => {
      const { referrer, referee } = await money().referral({ region });
      money().deps.clock.setMs(START_MS);
      const { outcome } = await money().pay(referee, 123_455n, { currency });
      expect(outcome).toBe('EARNED');
      expect(await money().wallet(referrer)).toMatchObject({
        currency,
        creditsPendingMinor: 12_346n,
        creditsEarnedMinor: 12_346n,
        creditsBalanceMinor: 0n,
        pendingNextReleaseDate: date,
      });
    },
  );

  test('a USER earns only with the first payment of a referee', async () => {
    const { referrer, referee } = await money().referral();
    expect(await money().pay(referee, 10_000n)).toMatchObject({ outcome: 'EARNED' });
    expect(await money().pay(referee, 10_000n)).toMatchObject({ outcome: 'NOT_FIRST' });
    expect(await money().wallet(referrer)).toMatchObject({ creditsEarnedMinor: 1_000n });
  });

  test.each(['AFFILIATE', 'AGENCY'] as const)(
    'an %s earns a fifth in cash with every payment of the first 12 months',
    async status => {
      const { referrer, referee } = await money().referral({ status });
      const first = new Date(money().deps.clock.nowMs());
      const after12Months = new Date(first);
      after12Months.setUTCFullYear(first.getUTCFullYear() + 1);
      const justBefore = new Date(after12Months.getTime() - 1);
      await money().pay(referee, 10_000n, { clearedAt: first });
      await money().pay(referee, 10_000n, { clearedAt: justBefore });
      const late = await money().pay(referee, 10_000n, { clearedAt: after12Months });
      expect(late.outcome).toBe('TERM_OVER');
      expect(await money().wallet(referrer)).toMatchObject({
        cashBalanceMinor: 4_000n,
        cashEarnedMinor: 4_000n,
        creditsEarnedMinor: 0n,
      });
    },
  );

  test('a repeated payment earns nothing, even concurrently', async () => {
    const { referrer, referee } = await money().referral();
    const id = uuidv7();
    const recorded = await Promise.all([1, 2, 3].map(() => money().pay(referee, 50_000n, { id })));
    expect(recorded.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(new Set(recorded.map(({ earningId }) => earningId)).size).toBe(1);
    expect(await money().wallet(referrer)).toMatchObject({ creditsEarnedMinor: 5_000n });
  });

  test('one of two concurrent first payments counts as the first', async () => {
    const { referrer, referee } = await money().referral();
    const recorded = await Promise.all([1, 2].map(() => money().pay(referee, 50_000n)));
    expect(recorded.map(({ outcome }) => outcome).toSorted()).toEqual(['EARNED', 'NOT_FIRST']);
    expect(await money().wallet(referrer)).toMatchObject({ creditsEarnedMinor: 5_000n });
  });

  test('the same payment with another amount is refused', async () => {
    const { referee } = await money().referral();
    const id = uuidv7();
    await money().pay(referee, 50_000n, { id });
    await expectRefusal(money().pay(referee, 50_001n, { id }), 'PAYMENT_MISMATCH');
  });

  test('without a referrer, in another currency or too small, it earns nothing', async () => {
    const alone = await money().organization();
    expect(await money().pay(alone, 10_000n)).toMatchObject({ outcome: 'NO_REFERRER' });
    const { referrer, referee } = await money().referral({ status: 'AFFILIATE' });
    const dollars = await money().pay(referee, 10_000n, { currency: 'USD' });
    expect(dollars.outcome).toBe('OTHER_CURRENCY');
    expect(await money().pay(referee, 2n)).toMatchObject({ outcome: 'TOO_SMALL' });
    expect(
      await money().sql('SELECT 1 FROM wallets WHERE organization_id = $1', [referrer]),
    ).toEqual([]);
  });

  test('a first payment in another currency does not use up a referral', async () => {
    const { referrer, referee } = await money().referral();
    const pay = async (currency: string) =>
      (await money().pay(referee, 10_000n, { currency })).outcome;
    expect(await pay('USD')).toBe('OTHER_CURRENCY');
    expect(await pay('USD')).toBe('OTHER_CURRENCY');
    expect(await pay('INR')).toBe('EARNED');
    expect(await pay('INR')).toBe('NOT_FIRST');
    expect(await pay('USD')).toBe('NOT_FIRST');
    expect(await money().wallet(referrer)).toMatchObject({ creditsEarnedMinor: 1_000n });
  });

  test('two concurrent first payments, one of them in another currency: the other one earns', async () => {
    const { referrer, referee } = await money().referral();
    const paid = ['USD', 'INR', 'INR'].map(currency => money().pay(referee, 10_000n, { currency }));
    const [dollars, ...rupees] = (await Promise.all(paid)).map(({ outcome }) => outcome);
    expect(['OTHER_CURRENCY', 'NOT_FIRST']).toContain(dollars);
    expect(rupees.toSorted()).toEqual(['EARNED', 'NOT_FIRST']);
    expect(await money().wallet(referrer)).toMatchObject({ creditsEarnedMinor: 1_000n });
  });

  test('the 12 months of an AFFILIATE begin with the first payment in the program’s currency', async () => {
    const { referrer, referee } = await money().referral({ status: 'AFFILIATE' });
    const first = new Date(money().deps.clock.nowMs());
    const monthsLater = (months: number) => {
      const at = new Date(first);
      at.setUTCMonth(at.getUTCMonth() + months);
      return at;
    };
    const pay = async (currency: string, months: number) =>
      (await money().pay(referee, 10_000n, { currency, clearedAt: monthsLater(months) })).outcome;
    expect(await pay('USD', 0)).toBe('OTHER_CURRENCY');
    expect(await pay('INR', 2)).toBe('EARNED');
    expect(await pay('INR', 13)).toBe('EARNED');
    expect(await pay('INR', 14)).toBe('TERM_OVER');
    expect(await money().wallet(referrer)).toMatchObject({ cashEarnedMinor: 4_000n });
  });

  test('later changes of the terms do not affect existing earnings', async () => {
    const { referrer, referees } = await money().referral({ region: 'GLOBAL', referees: 2 });
    money().deps.clock.setMs(START_MS);
    await money().pay(referees[0]!, 10_000n, { currency: 'USD' });
    await money().sql(`UPDATE program_terms SET hold_days = 10, credit_rate_bps = 500
                       WHERE region = 'GLOBAL'`);
    await money().pay(referees[1]!, 10_000n, { currency: 'USD' });
    await money().sql(`UPDATE program_terms SET hold_days = 60, credit_rate_bps = 1000
                       WHERE region = 'GLOBAL'`);
    const schedule = await money().deps.database.asTenant(referrer, em =>
      pendingSchedule(em, { organizationId: referrer, nowMs: money().deps.clock.nowMs() }),
    );
    expect(schedule).toEqual({
      totalPendingMinor: 1_500n,
      nextReleaseDate: '2026-01-20',
      releases: [
        { releaseDate: '2026-01-20', totalMinor: 500n, transactionCount: 1 },
        { releaseDate: '2026-03-11', totalMinor: 1_000n, transactionCount: 1 },
      ],
    });
  });
});

describe('the release', () => {
  test('waits for the day, and is one posting per wallet and day, including missed days', async () => {
    const { referrer, referees } = await money().referral({ referees: 3 });
    money().deps.clock.setMs(START_MS);
    await money().pay(referees[0]!, 10_000n);
    await money().pay(referees[1]!, 20_000n);
    money().advanceDays(1);
    await money().pay(referees[2]!, 40_000n);
    const { deps } = money();
    await releaseDueCredits(deps, '2026-02-08');
    expect(await money().wallet(referrer)).toMatchObject({ creditsBalanceMinor: 0n });
    await Promise.all([
      releaseDueCredits(deps, '2026-02-20'),
      releaseDueCredits(deps, '2026-02-20'),
    ]);
    await releaseDueCredits(deps, '2026-02-20');
    expect(await money().wallet(referrer)).toMatchObject({
      creditsBalanceMinor: 7_000n,
      creditsPendingMinor: 0n,
      pendingNextReleaseDate: null,
    });
    const postings = await money().sql(
      `SELECT source_id, amount_minor FROM ledger_transactions
       WHERE organization_id = $1 AND kind = 'RELEASE_CREDITS' ORDER BY source_id`,
      [referrer],
    );
    expect(postings).toEqual([
      { source_id: '2026-02-09', amount_minor: '3000' },
      { source_id: '2026-02-10', amount_minor: '4000' },
    ]);
  });

  test('a wallet that cannot be settled does not block others', async () => {
    const [broken, sound] = [await money().referral(), await money().referral()];
    money().deps.clock.setMs(START_MS);
    await money().pay(broken.referee, 10_000n);
    await money().pay(sound.referee, 10_000n);
    // A duplicate entry number, as an example of an error that affects only one wallet.
    await money().sql(`ALTER TABLE ledger_accounts DISABLE TRIGGER balance_is_entries`);
    await money().sql(
      `UPDATE ledger_accounts SET version = 0 WHERE organization_id = $1 AND kind = 'PENDING'`,
      [broken.referrer],
    );
    await money().sql(`ALTER TABLE ledger_accounts ENABLE TRIGGER balance_is_entries`);
    const { deps } = money();
    await expect(releaseDueCredits(deps, '2026-02-20')).rejects.toThrow(
      'Organizations for which the job failed: 1',
    );
    expect(await money().wallet(sound.referrer)).toMatchObject({ creditsBalanceMinor: 1_000n });
    expect(await money().wallet(broken.referrer)).toMatchObject({ creditsBalanceMinor: 0n });
    const found = await deps.database.asSystem(em => reconcile(em, broken.referrer));
    expect(found.map(({ check }) => check)).toEqual(['version_is_count_of_entries']);
    await money().sql(`ALTER TABLE ledger_accounts DISABLE TRIGGER balance_is_entries`);
    await money().sql(
      `UPDATE ledger_accounts SET version = 1 WHERE organization_id = $1 AND kind = 'PENDING'`,
      [broken.referrer],
    );
    await money().sql(`ALTER TABLE ledger_accounts ENABLE TRIGGER balance_is_entries`);
    await releaseDueCredits(deps, '2026-02-20');
    expect(await money().wallet(broken.referrer)).toMatchObject({ creditsBalanceMinor: 1_000n });
  });
});

describe('a wallet', () => {
  test('reads as zeros before the first earning, in the currency of its region', async () => {
    const { referrer } = await money().referral({ region: 'GLOBAL' });
    expect(await money().wallet(referrer)).toEqual({
      currency: 'USD',
      currencySymbol: '$',
      creditsBalanceMinor: 0n,
      creditsEarnedMinor: 0n,
      creditsRedeemedMinor: 0n,
      creditsReservedMinor: 0n,
      creditsConvertedMinor: 0n,
      creditsPendingMinor: 0n,
      pendingNextReleaseDate: null,
      cashBalanceMinor: 0n,
      cashEarnedMinor: 0n,
      cashWithdrawnMinor: 0n,
      cashInPayoutMinor: 0n,
      debtMinor: 0n,
      isDormant: false,
      lastActivityAt: null,
    });
  });

  test('is dormant after 180 days without activity', async () => {
    const { referrer, referee } = await money().referral();
    money().deps.clock.setMs(START_MS);
    await money().pay(referee, 10_000n);
    money().deps.clock.setMs(START_MS + 180 * DAY_MS - 1);
    expect(await money().wallet(referrer)).toMatchObject({ isDormant: false });
    money().deps.clock.setMs(START_MS + 180 * DAY_MS);
    expect(await money().wallet(referrer)).toMatchObject({
      isDormant: true,
      lastActivityAt: new Date(START_MS),
    });
  });
});
