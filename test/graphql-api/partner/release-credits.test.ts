// The daily release catches up on missed days, and is safe to run twice or in two processes.

import { v7 as uuidv7 } from 'uuid';
import { expect, inject, test } from 'vitest';
import { ALL_JOBS } from '../../../graphql-api/app/all-jobs.ts';
import { expireOldReservations } from '../../../graphql-api/partner/expire-reservations.job.ts';
import { releaseCredits } from '../../../graphql-api/partner/release-credits.job.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { sql } from '../../harness/tenant.ts';
import { startApi } from '../harness/api-process.ts';
import { furnishWallet } from '../harness/furnish-wallet.ts';
import { dayAfter, useClockedApi } from './clocked-api.ts';
import { programOf } from './program.ts';

const api = useClockedApi();

test('both jobs run, the release at 02:00 UTC', () => {
  expect(ALL_JOBS).toContain(releaseCredits);
  expect(ALL_JOBS).toContain(expireOldReservations);
  expect(releaseCredits.schedule).toBe('0 2 * * *');
});

test('one posting per wallet and day, also for missed days; a repeat has no effect', async () => {
  const program = await programOf(api());
  const referrers = [await program.referrer(), await program.referrer()];
  const start = api().today();
  for (let day = 0; day < 3; day++) {
    for (const referrer of referrers)
      for (const amount of ['100', '50'])
        await program.pay(await program.referee(referrer), amount);
    api().advanceDays(1);
  }
  api().advanceDays(26);
  await api().runJob(releaseCredits);
  const releases = (organizationId: string) =>
    api().sql(
      `SELECT source_id AS day, amount_minor AS amount FROM ledger_transactions
       WHERE organization_id = $1 AND kind = 'RELEASE_CREDITS' ORDER BY source_id`,
      [organizationId],
    );
  for (const { organizationId } of referrers) expect(await releases(organizationId)).toEqual([]);

  // The job did not run on the first two days.
  api().advanceDays(3);
  await Promise.all([api().runJob(releaseCredits), api().runJob(releaseCredits)]);
  await api().runJob(releaseCredits);
  for (const { organizationId } of referrers)
    expect(await releases(organizationId)).toEqual(
      [30, 31, 32].map(days => ({ day: dayAfter(start, days), amount: '1500' })),
    );
  const { reconciliation } = await program.admin.graph('{ reconciliation { check } }');
  expect(reconciliation).toEqual([]);
});

test('a run for a day does not affect later days', async () => {
  const program = await programOf(api());
  const referrer = await program.referrer();
  await program.pay(await program.referee(referrer), '100');
  const due = dayAfter(api().today(), 30);
  const run = async (dueAt: string) => {
    const context = createContext(api().deps, uuidv7(), undefined);
    await releaseCredits.run(context, { dueAt }, new AbortController().signal);
    return (await referrer.get('/api/v1/referrals/wallet')).json().credits_balance;
  };
  expect(await run(`${dayAfter(due, -1)}T02:00:00.000Z`)).toBe(0);
  expect(await run(`${due}T02:00:00.000Z`)).toBe(10);
});

test('a credit is held for 30 times 24 hours, and released by the run after that', async () => {
  const program = await programOf(api());
  const referrer = await program.referrer();
  const start = api().today();
  api().setClock(`${start}T03:20:17Z`);
  await program.pay(await program.referee(referrer), '100');
  const wallet = async () => (await referrer.get('/api/v1/referrals/wallet')).json();
  api().setClock(`${dayAfter(start, 30)}T02:00:00Z`);
  await api().runJob(releaseCredits);
  expect(await wallet()).toMatchObject({
    credits_balance: 0,
    pending_next_release_date: dayAfter(start, 31),
  });
  api().setClock(`${dayAfter(start, 31)}T02:00:00Z`);
  await api().runJob(releaseCredits);
  expect(await wallet()).toMatchObject({ credits_balance: 10, pending_next_release_date: null });
});

test('the next release of a payment reported late is the next run, never a date in the past', async () => {
  const program = await programOf(api());
  const referrer = await program.referrer();
  const today = api().today();
  api().setClock(`${today}T11:00:00Z`);
  for (const daysAgo of [400, 31, 30])
    await program.pay(await program.referee(referrer), '100', {
      clearedAt: `${dayAfter(today, -daysAgo)}T11:00:00Z`,
    });
  const next = dayAfter(today, 1);
  for (const path of ['wallet', 'wallet/pending']) {
    const answer = (await referrer.get(`/api/v1/referrals/${path}`)).json();
    expect(answer.pending_next_release_date ?? answer.next_release_date, path).toBe(next);
  }
  const summary = (await referrer.get('/api/v1/billing/referral')).json();
  expect(summary.pending_next_release_date).toBe(next);
  const { release_schedule } = (await referrer.get('/api/v1/referrals/wallet/pending')).json();
  expect(release_schedule).toEqual([
    { release_date: next, total_amount: 30, transaction_count: 3 },
  ]);
  api().setClock(`${next}T02:00:00Z`);
  await api().runJob(releaseCredits);
  expect((await referrer.get('/api/v1/referrals/wallet')).json().credits_balance).toBe(30);
});

test('a stopping process does not begin another wallet', async () => {
  const program = await programOf(api());
  const referrer = await program.referrer();
  await program.pay(await program.referee(referrer), '100');
  api().advanceDays(30);
  const context = createContext(api().deps, uuidv7(), undefined);
  const data = { dueAt: new Date(api().deps.clock.nowMs()).toISOString() };
  const run = releaseCredits.run(context, data, AbortSignal.abort(new Error('stop')));
  await expect(run).rejects.toThrow('stop');
  expect((await referrer.get('/api/v1/referrals/wallet')).json().credits_balance).toBe(0);
});

test('two real processes run the missed releases once', async () => {
  const urls = await ownDatabase();
  const app = new URL(inject('databaseUrls').app);
  app.pathname = new URL(urls.owner).pathname;
  const organizationIds = Array.from({ length: 20 }, () => uuidv7());
  for (const organizationId of organizationIds) {
    await sql(
      'INSERT INTO organizations (id, name) VALUES ($1, $2)',
      [organizationId, 'x'],
      urls.owner,
    );
    await furnishWallet({ organizationId }, urls.owner);
    await sql(
      `UPDATE earnings SET release_on = current_date - 2 WHERE organization_id = $1 AND status = 'PENDING'`,
      [organizationId],
      urls.owner,
    );
  }
  // The job last ran on schedule three days ago.
  await sql(
    `INSERT INTO job_runs (job, due_at, is_baseline)
     VALUES ('release-credits', date_trunc('day', now(), 'UTC') - interval '70 hours', true)`,
    [],
    urls.owner,
  );
  const env = { DATABASE_APP_URL: app.href, DATABASE_SYSTEM_URL: urls.system };
  const processes = await Promise.all([startApi({ env }), startApi({ env })]);
  try {
    await eventually(async () => {
      const rows = await sql(
        `SELECT organization_id, balance_minor FROM ledger_accounts
         WHERE kind = 'AVAILABLE' AND balance_minor = 42000`,
        [],
        urls.owner,
      );
      expect(rows).toHaveLength(organizationIds.length);
    });
  } finally {
    for (const one of processes) await one.stop();
  }
  const [postings] = await sql(
    `SELECT count(*)::int AS count FROM ledger_transactions
     WHERE kind = 'RELEASE_CREDITS' AND idempotency_key LIKE 'release:%'`,
    [],
    urls.owner,
  );
  expect(postings).toEqual({ count: organizationIds.length });
  const runs = await sql(
    `SELECT count(*)::int AS count FROM job_runs WHERE job = 'release-credits' AND NOT is_baseline`,
    [],
    urls.owner,
  );
  expect(runs).toEqual([{ count: 1 }]);
});
