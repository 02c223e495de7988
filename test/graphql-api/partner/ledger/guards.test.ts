// The checks in the database itself, for every role.

import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LedgerKeyReused, post } from '../../../../graphql-api/partner/ledger/post.ts';
import { redeem } from '../../../../graphql-api/partner/ledger/postings.ts';
import { lockWallet } from '../../../../graphql-api/partner/ledger/wallet.ts';
import { walletTransactions } from '../../../../graphql-api/partner/transaction.reads.ts';
import { useMoney } from './money.ts';

const money = useMoney();

async function withPendingCredits(): Promise<string> {
  const { referrer, referee } = await money().referral();
  await money().pay(referee, 100_000n);
  return referrer;
}

async function withCash(): Promise<string> {
  const { referrer, referee } = await money().referral({ status: 'AFFILIATE' });
  await money().pay(referee, 100_000n);
  return referrer;
}

/** Runs statements as the owner of the tables, in one transaction. */
async function byHand(statements: readonly (readonly [string, unknown[]])[]): Promise<void> {
  const client = new pg.Client({ connectionString: money().urls.owner });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  for (const [text, values] of statements) await client.query(text, values);
  await client.query('COMMIT');
}

const TRANSACTION = `
  INSERT INTO ledger_transactions (id, organization_id, kind, idempotency_key, amount_minor, currency,
    source_type, source_id, created_at)
  VALUES ($1::uuid, $2, 'REDEEM', ($1::uuid)::text, 5, 'INR', 'redemption', 'x', now())`;
const WALLET_ENTRY = `
  INSERT INTO ledger_entries (transaction_id, organization_id, account_id, currency, amount_minor,
    balance_after, account_version)
  SELECT $1, $2, id, currency, $3::bigint, $4::bigint, $5 FROM ledger_accounts
  WHERE organization_id = $2 AND kind = 'CASH'`;
const PLATFORM_ENTRY = `
  INSERT INTO ledger_entries (transaction_id, organization_id, account_id, currency, amount_minor)
  VALUES ($1, $2, platform_account_id('INVOICES', 'INR'), 'INR', $3)`;
const BALANCE = `
  UPDATE ledger_accounts SET balance_minor = $2, version = $3
  WHERE organization_id = $1 AND kind = 'CASH'`;

describe.each(['app', 'system'] as const)('the %s role', role => {
  test.each([
    'UPDATE ledger_entries SET amount_minor = 1',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
    'UPDATE ledger_transactions SET amount_minor = 1',
    'DELETE FROM ledger_transactions',
    'TRUNCATE ledger_transactions CASCADE',
    'DELETE FROM ledger_accounts',
    'DELETE FROM wallets',
    'DELETE FROM earnings',
    'DELETE FROM payouts',
    'UPDATE conversions SET amount_minor = 1',
  ])('cannot %s', async statement => {
    await expect(money().sql(statement, [], role)).rejects.toThrow('permission denied');
  });
});

test.each(['ledger_entries', 'ledger_transactions'])(
  'the owner cannot change %s either',
  async table => {
    await withCash();
    await expect(money().sql(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
    await expect(money().sql(`UPDATE ${table} SET amount_minor = 1`)).rejects.toThrow(
      'append-only',
    );
  },
);

describe('an organization', () => {
  async function asTenant(organizationId: string, statement: string, values: unknown[]) {
    return money().deps.database.asTenant(organizationId, em => em.execute(statement, values));
  }

  test('cannot record its own earnings', async () => {
    const referrer = await withCash();
    const earn = asTenant(
      referrer,
      `INSERT INTO ledger_transactions (id, organization_id, kind, idempotency_key, amount_minor,
         currency, source_type, source_id, created_at)
       VALUES (?, ?, 'EARN_COMMISSION', 'mine', 5, 'INR', 'earning', 'x', now())`,
      [uuidv7(), referrer],
    );
    await expect(earn).rejects.toThrow('row-level security');
    await expect(asTenant(referrer, `UPDATE earnings SET clawed_minor = 0`, [])).rejects.toThrow(
      'permission denied',
    );
    await expect(asTenant(referrer, `UPDATE payouts SET status = 'PAID'`, [])).rejects.toThrow(
      'permission denied',
    );
  });

  test('cannot see or change the money of others', async () => {
    const [mine, other] = [await withCash(), await withCash()];
    const seen = await money().deps.database.asTenant(mine, async em => ({
      accounts: await em.execute('SELECT DISTINCT organization_id FROM ledger_accounts'),
      entries: await em.execute('SELECT DISTINCT organization_id FROM ledger_entries'),
      locked: await lockWallet(em, other),
    }));
    expect(seen).toEqual({
      accounts: [{ organization_id: mine }],
      entries: [{ organization_id: mine }],
      locked: undefined,
    });
  });
});

describe('at commit', () => {
  test('a transaction that does not balance is refused', async () => {
    const referrer = await withCash();
    const id = uuidv7();
    const attempt = byHand([
      [TRANSACTION, [id, referrer]],
      [BALANCE, [referrer, 19_995, 2]],
      [WALLET_ENTRY, [id, referrer, -5, 19_995, 2]],
      [PLATFORM_ENTRY, [id, referrer, 6]],
    ]);
    await expect(attempt).rejects.toMatchObject({ constraint: 'ledger_balanced' });
  });

  test('the same transaction is accepted once it balances', async () => {
    const referrer = await withCash();
    const id = uuidv7();
    await byHand([
      [TRANSACTION, [id, referrer]],
      [BALANCE, [referrer, 19_995, 2]],
      [WALLET_ENTRY, [id, referrer, -5, 19_995, 2]],
      [PLATFORM_ENTRY, [id, referrer, 5]],
    ]);
    expect(await money().wallet(referrer)).toMatchObject({ cashBalanceMinor: 19_995n });
  });

  test('an entry that is added to an old transaction is refused', async () => {
    const referrer = await withCash();
    const [old] = await money().sql(
      'SELECT id FROM ledger_transactions WHERE organization_id = $1',
      [referrer],
    );
    await expect(byHand([[PLATFORM_ENTRY, [old!.id, referrer, 5]]])).rejects.toMatchObject({
      constraint: 'ledger_balanced',
    });
  });

  test('a transaction without entries is refused', async () => {
    const referrer = await withCash();
    await expect(byHand([[TRANSACTION, [uuidv7(), referrer]]])).rejects.toMatchObject({
      constraint: 'ledger_balanced',
    });
  });

  test('a balance change without an entry is refused', async () => {
    const referrer = await withCash();
    await expect(byHand([[BALANCE, [referrer, 999_999, 1]]])).rejects.toMatchObject({
      constraint: 'ledger_balance_is_entries',
    });
    await expect(byHand([[BALANCE, [referrer, 999_999, 2]]])).rejects.toMatchObject({
      constraint: 'ledger_balance_is_entries',
    });
  });

  test('an entry that does not continue from the previous one is refused', async () => {
    const referrer = await withCash();
    const id = uuidv7();
    const attempt = byHand([
      [TRANSACTION, [id, referrer]],
      [BALANCE, [referrer, 30_000, 2]],
      [WALLET_ENTRY, [id, referrer, -5, 30_000, 2]],
      [PLATFORM_ENTRY, [id, referrer, 5]],
    ]);
    await expect(attempt).rejects.toMatchObject({ constraint: 'ledger_chain' });
  });

  test('an entry on another organization’s account is refused', async () => {
    const [mine, other] = [await withCash(), await withCash()];
    const id = uuidv7();
    const attempt = byHand([
      [TRANSACTION, [id, mine]],
      [BALANCE, [other, 19_995, 2]],
      [
        WALLET_ENTRY.replace('SELECT $1, $2', 'SELECT $1, $6::uuid'),
        [id, other, -5, 19_995, 2, mine],
      ],
      [PLATFORM_ENTRY, [id, mine, 5]],
    ]);
    await expect(attempt).rejects.toMatchObject({ constraint: 'ledger_entry_suits' });
  });
});

test('no balance can be negative', async () => {
  const referrer = await withPendingCredits();
  const overdraft = money().deps.database.asSystem(async em => {
    const wallet = (await lockWallet(em, referrer))!;
    await post({ em, deps: money().deps }, wallet, redeem({ id: uuidv7(), amountMinor: 1n }));
  });
  await expect(overdraft).rejects.toMatchObject({ constraint: 'no_overdraft' });
});

describe('a posting', () => {
  const posting = (id: string, amountMinor: bigint) => ({
    ...redeem({ id, amountMinor }),
    entries: [
      { account: 'CASH' as const, amountMinor: -amountMinor },
      { account: 'INVOICES' as const, amountMinor },
    ],
  });
  function postNow(organizationId: string, id: string, amountMinor: bigint) {
    return money().deps.database.asSystem(async em => {
      const wallet = (await lockWallet(em, organizationId))!;
      return post({ em, deps: money().deps }, wallet, posting(id, amountMinor));
    });
  }

  test('with a used key returns the earlier transaction and writes nothing', async () => {
    const referrer = await withCash();
    const id = uuidv7();
    const [first, second] = await Promise.all([
      postNow(referrer, id, 7n),
      postNow(referrer, id, 7n),
    ]);
    expect(second!.transactionId).toBe(first!.transactionId);
    expect([first, second].filter(posted => posted!.isRepeat)).toHaveLength(1);
    expect(await money().wallet(referrer)).toMatchObject({ cashBalanceMinor: 19_993n });
  });

  test('that differs under the same key is an error', async () => {
    const [referrer, other] = [await withCash(), await withCash()];
    const id = uuidv7();
    await postNow(referrer, id, 7n);
    await expect(postNow(referrer, id, 8n)).rejects.toThrow(LedgerKeyReused);
    await expect(postNow(other, id, 7n)).rejects.toThrow(LedgerKeyReused);
  });

  test('that does not balance is refused before it is sent', async () => {
    const referrer = await withCash();
    const wallet = await money().deps.database.asSystem(em => lockWallet(em, referrer));
    const entries = [{ account: 'CASH' as const, amountMinor: 1n }];
    const attempt = money().deps.database.asSystem(em =>
      post({ em, deps: money().deps }, wallet!, { ...posting(uuidv7(), 1n), entries }),
    );
    await expect(attempt).rejects.toThrow('is not balanced');
  });
});

test('the ledger is read in pages, newest first, filtered, with its effect on the balances', async () => {
  const { referrer, referees } = await money().referral({ status: 'AFFILIATE', referees: 2 });
  const payment = uuidv7();
  await money().pay(referees[0]!, 10_000n, { id: payment });
  money().advanceDays(1);
  await money().pay(referees[1]!, 20_000n);
  money().advanceDays(1);
  await money().refund(payment, 10_000n);
  const page = (filter: Parameters<typeof walletTransactions>[2], first: number) =>
    money().deps.database.asTenant(referrer, em =>
      walletTransactions(em, referrer, filter, { first }),
    );
  const { items, hasNextPage } = await page({}, 2);
  expect(hasNextPage).toBe(true);
  expect(items.map(({ kind, amountMinor, entries }) => ({ kind, amountMinor, entries }))).toEqual([
    {
      kind: 'CLAW_BACK',
      amountMinor: 2_000n,
      entries: [{ account: 'CASH', amountMinor: -2_000n, balanceAfterMinor: 4_000n }],
    },
    {
      kind: 'EARN_COMMISSION',
      amountMinor: 4_000n,
      entries: [{ account: 'CASH', amountMinor: 4_000n, balanceAfterMinor: 6_000n }],
    },
  ]);
  const earned = await page({ kinds: ['EARN_COMMISSION'], until: items[1]!.createdAt }, 10);
  expect(earned.items.map(({ amountMinor }) => amountMinor)).toEqual([2_000n]);
  const other = await money().organization();
  const foreign = await money().deps.database.asTenant(other, em =>
    walletTransactions(em, referrer, {}, { first: 10 }),
  );
  expect(foreign.items).toEqual([]);
});
