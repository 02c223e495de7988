// The wallet: the latency of reads, and the rate of redemptions on one contended wallet and on
// many. Both are compared with the minimum in plain SQL.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../graphql-api/app/config.ts';
import { createAppDeps } from '../graphql-api/app/create-app-deps.ts';
import { creditsRedeem } from '../graphql-api/partner/credit.redeem.ts';
import { reconcile } from '../graphql-api/partner/ledger/reconcile.ts';
import { recordPayment } from '../graphql-api/partner/payment.record.ts';
import { releaseDueCredits } from '../graphql-api/partner/release-credits.job.ts';
import { walletOf } from '../graphql-api/partner/wallet.reads.ts';
import { type AppDeps, createContext } from '../graphql-api/platform/context.ts';
import { decimalOf } from '../graphql-api/platform/money.ts';
import { runAction } from '../graphql-api/platform/run-action.ts';
import type { Bench } from './bench.ts';
import { type Measured, quantileMs, rateOf } from './measured.ts';
import { type DatabaseUrls, onlyPostgres } from './only-postgres.ts';
import type { Row } from './print-table.ts';

/** Concurrent requests; the pool has the same number of connections. */
const CONNECTIONS = 16;
const WALLETS = 200;
/** The number of entries of the wallet, so that its sums have data to aggregate. */
const PAYMENTS = 500;
const PAYMENT_MINOR = 10n ** 14n;
const INVOICE_MINOR = 10n ** 15n;
const INVOICE_ID = 'invoice-1';
/** The warehouse is not used here. */
const NOWHERE = 'http://127.0.0.1:1';

type World = {
  readonly deps: AppDeps;
  readonly pool: pg.Pool;
  readonly organizationIds: readonly string[];
  readonly affiliateId: string;
};

export const partnerBench: Bench = {
  name: 'partner',
  title: `Wallets (${CONNECTIONS} concurrent actions in one process, with Postgres on the same machine)`,
  run: async ({ seconds, progress }) => {
    progress('starting Postgres');
    return onlyPostgres(urls => measure(urls, seconds, progress));
  },
};

async function measure(
  urls: DatabaseUrls,
  seconds: number,
  progress: (step: string) => void,
): Promise<readonly Row[]> {
  const deps = await createAppDeps(
    readConfig({
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      DATABASE_POOL_MAX: String(CONNECTIONS),
      CLICKHOUSE_URL: NOWHERE,
      AUTH_JWT_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'warn',
    }),
  );
  const pool = new pg.Pool({ connectionString: urls.app, max: CONNECTIONS });
  pool.on('error', () => undefined);
  try {
    progress('creating wallets');
    const world = { deps, pool, ...(await seed(deps, urls.owner)) };
    const rows: Row[] = [];
    for (const [name, work] of Object.entries(scenarios(world))) {
      progress(name);
      rows.push(rowOf(name, await drive(work, seconds)));
    }
    progress('reconciling');
    return [
      ...rows,
      rowOf('reconciliation of all transactions of this run', await reconciled(deps)),
    ];
  } finally {
    await pool.end();
    await deps.database.close();
  }
}

function rowOf(scenario: string, measured: Measured): Row {
  return {
    scenario,
    'per second': Math.round(rateOf(measured)),
    'p50 ms': quantileMs(measured, 0.5),
    'p99 ms': quantileMs(measured, 0.99),
    failed: measured.failed,
  };
}

/** Runs the work at the maximum rate, with `CONNECTIONS` concurrent requests. */
async function drive(work: Work, seconds: number): Promise<Measured> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  let count = 0;
  let failed = 0;
  const lane = async () => {
    for (let sentAtMs = startedAtMs; sentAtMs < endsAtMs; ) {
      sentAtMs = performance.now();
      await work(count++).catch(() => failed++);
      latenciesMs.push(performance.now() - sentAtMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return { latenciesMs, seconds: (performance.now() - startedAtMs) / 1000, failed };
}

/** A discrepancy counts as a failure. */
async function reconciled(deps: AppDeps): Promise<Measured> {
  const startedAtMs = performance.now();
  const found = await deps.database.asSystem(em => reconcile(em));
  const tookMs = performance.now() - startedAtMs;
  return { latenciesMs: [tookMs], seconds: tookMs / 1000, failed: found.length };
}

type Work = (count: number) => Promise<unknown>;

function scenarios({ deps, pool, organizationIds, affiliateId }: World): Record<string, Work> {
  const hot = organizationIds[0]!;
  const one = (count: number) => organizationIds[count % organizationIds.length]!;
  return {
    'read a wallet': count => readWallet(deps, one(count)),
    [`read a wallet of ${PAYMENTS} earnings`]: () => readWallet(deps, affiliateId),
    'plain SQL: its five balances': count => plainRead(pool, one(count)),
    'redeem, one wallet': () => redeem(deps, hot),
    'plain SQL: one row, a guarded UPDATE and an INSERT': () => plainRedeem(pool, hot),
    [`redeem, ${WALLETS} wallets`]: count => redeem(deps, one(count)),
    [`plain SQL: ${WALLETS} rows, a guarded UPDATE and an INSERT`]: count =>
      plainRedeem(pool, one(count)),
  };
}

async function readWallet({ database, clock }: AppDeps, organizationId: string): Promise<unknown> {
  const reading = await database.openRead(organizationId);
  try {
    return await walletOf(reading.em, { organizationId, nowMs: clock.nowMs() });
  } finally {
    await reading.close();
  }
}

function redeem(deps: AppDeps, organizationId: string): Promise<unknown> {
  const context = createContext(deps, uuidv7(), {
    userId: 'bench',
    organizationId,
    workspaceId: undefined,
    roles: new Set(['owner']),
  });
  const input = {
    invoiceId: `${INVOICE_ID}:${organizationId}`,
    invoiceTotal: decimalOf({ amountMinor: INVOICE_MINOR, currencyCode: 'INR' }),
    requestedAmount: '0.01',
  };
  return runAction(context, creditsRedeem, input);
}

const SET_ORGANIZATION = `SELECT set_config('app.organization_id', $1, true)`;

async function inTransaction(
  pool: pg.Pool,
  organizationId: string,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(SET_ORGANIZATION, [organizationId]);
    await work(client);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

function plainRead(pool: pg.Pool, organizationId: string): Promise<void> {
  return inTransaction(pool, organizationId, client =>
    client.query('SELECT kind, balance_minor FROM ledger_accounts WHERE organization_id = $1', [
      organizationId,
    ]),
  );
}

/** A redemption without a ledger, a cap or an audit entry. */
function plainRedeem(pool: pg.Pool, organizationId: string): Promise<void> {
  return inTransaction(pool, organizationId, async client => {
    await client.query(
      'UPDATE plain_wallets SET balance = balance - 1 WHERE id = $1 AND balance >= 1',
      [organizationId],
    );
    await client.query('INSERT INTO plain_redemptions (id, wallet_id, amount) VALUES ($1, $2, 1)', [
      uuidv7(),
      organizationId,
    ]);
  });
}

async function seed(
  deps: AppDeps,
  ownerUrl: string,
): Promise<Pick<World, 'organizationIds' | 'affiliateId'>> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const organizationIds: string[] = [];
  for (let i = 0; i < WALLETS; i++) {
    const { referrerId, refereeId } = await refer(owner, 'USER');
    await pay(deps, refereeId, PAYMENT_MINOR);
    await owner.query(
      `INSERT INTO invoices (organization_id, id, kind, total_minor, currency, registered_at)
       VALUES ($1, $2, 'NORMAL', $3, 'INR', now())`,
      [referrerId, `${INVOICE_ID}:${referrerId}`, String(INVOICE_MINOR)],
    );
    organizationIds.push(referrerId);
  }
  await releaseDueCredits(deps, '2100-01-01');
  const affiliate = await refer(owner, 'AFFILIATE');
  for (let i = 0; i < PAYMENTS; i++) await pay(deps, affiliate.refereeId, 10_000n);
  await owner.query(`
    CREATE TABLE plain_wallets (id uuid PRIMARY KEY, balance bigint NOT NULL);
    CREATE TABLE plain_redemptions (id uuid PRIMARY KEY, wallet_id uuid NOT NULL, amount bigint NOT NULL);
    GRANT SELECT, INSERT, UPDATE ON plain_wallets, plain_redemptions TO service_app;
    INSERT INTO plain_wallets SELECT organization_id, 1000000000 FROM wallets`);
  await owner.query('ANALYZE');
  await owner.end();
  return { organizationIds, affiliateId: affiliate.referrerId };
}

async function refer(owner: pg.Client, status: 'USER' | 'AFFILIATE') {
  const [referrerId, refereeId] = [uuidv7(), uuidv7()];
  const code = referrerId.slice(-12);
  await owner.query(
    `INSERT INTO organizations (id, name) VALUES ($1, 'Referrer'), ($2, 'Referee')`,
    [referrerId, refereeId],
  );
  await owner.query(
    'INSERT INTO partner_profiles (organization_id, partner_status) VALUES ($1, $2)',
    [referrerId, status],
  );
  await owner.query('INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2)', [
    code,
    referrerId,
  ]);
  await owner.query(
    `INSERT INTO referee_relations (referee_organization_id, referrer_organization_id, code)
     VALUES ($1, $2, $3)`,
    [refereeId, referrerId, code],
  );
  return { referrerId, refereeId };
}

function pay(deps: AppDeps, organizationId: string, amountMinor: bigint): Promise<unknown> {
  const clearedAt = new Date(deps.clock.nowMs());
  return deps.database.asSystem(em =>
    recordPayment(
      { em, deps },
      { id: uuidv7(), organizationId, amountMinor, currency: 'INR', clearedAt },
    ),
  );
}
