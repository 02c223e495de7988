// The partner program's money, on a database of its own (its jobs go through every wallet there is),
// with a clock that stands still until a test moves it.

import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, inject } from 'vitest';
import { convertCreditsToCash } from '../../../../graphql-api/partner/credit.convert-to-cash.ts';
import {
  type RedeemCredits,
  redeemCredits,
} from '../../../../graphql-api/partner/credit.redeem.ts';
import {
  type InvoiceChannel,
  registerInvoice,
} from '../../../../graphql-api/partner/invoice.register.ts';
import {
  type RecordedPayment,
  recordPayment,
} from '../../../../graphql-api/partner/payment.record.ts';
import {
  type AdvancePayout,
  advancePayout,
} from '../../../../graphql-api/partner/payout.advance.ts';
import { requestPayout } from '../../../../graphql-api/partner/payout.request.ts';
import {
  chargebackWon,
  recordChargeback,
  recordRefund,
} from '../../../../graphql-api/partner/reversal.record.ts';
import { type WalletView, walletOf } from '../../../../graphql-api/partner/wallet.reads.ts';
import { type AppDeps, createContext } from '../../../../graphql-api/platform/context.ts';
import { runAction, runPlatformAction } from '../../../../graphql-api/platform/run-action.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { sql } from '../../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';

/** The hour of the daily release, so that a hold of whole days ends with one. */
export const START_MS = Date.UTC(2026, 0, 10, 2);
export const DAY_MS = 24 * 60 * 60 * 1000;

export type Money = {
  readonly deps: TestDeps;
  readonly urls: Readonly<Record<Role, string>>;
  /** As the owner of the tables, or as a role that a test names. */
  readonly sql: (
    text: string,
    values?: unknown[],
    role?: Role,
  ) => Promise<Record<string, unknown>[]>;
  /** The same operations, with other dependencies: those of a process that dies. */
  readonly with: (deps: AppDeps) => MoneyOperations;
  readonly advanceDays: (days: number) => void;
  /** The UTC day that it is. */
  readonly today: () => string;
  readonly organization: () => Promise<string>;
  /** A referrer, and organisations that it referred. */
  readonly referral: (options?: ReferralOptions) => Promise<Referral>;
} & MoneyOperations;

type Role = 'owner' | 'app' | 'system';

export type ReferralOptions = {
  readonly status?: 'USER' | 'AFFILIATE' | 'AGENCY';
  readonly region?: 'INDIA' | 'GLOBAL';
  readonly referees?: number;
};

export type Referral = {
  readonly referrer: string;
  readonly referees: readonly string[];
  readonly referee: string;
};

export type MoneyOperations = ReturnType<typeof operations>;

export function useMoney(): () => Money {
  let money: Money | undefined;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const { owner, system } = await ownDatabase();
    const app = new URL(inject('databaseUrls').app);
    app.pathname = new URL(owner).pathname;
    const urls = { owner, system, app: app.href };
    const deps = await createDeps({ DATABASE_APP_URL: urls.app, DATABASE_SYSTEM_URL: system });
    deps.clock.setMs(START_MS);
    close = () => deps.database.close();
    money = createMoney(deps, urls);
  });
  afterAll(() => close?.());
  return () => {
    if (money === undefined) throw new Error('money is made in beforeAll; use it in tests only');
    return money;
  };
}

function createMoney(deps: TestDeps, urls: Readonly<Record<Role, string>>): Money {
  const query: Money['sql'] = (text, values = [], role = 'owner') => sql(text, values, urls[role]);
  async function organization(): Promise<string> {
    const id = uuidv7();
    await query(`INSERT INTO organizations (id, name) VALUES ($1, $2)`, [id, `Organisation ${id}`]);
    return id;
  }
  return {
    deps,
    urls,
    sql: query,
    with: operations,
    ...operations(deps),
    advanceDays: days => deps.clock.setMs(deps.clock.nowMs() + days * DAY_MS),
    today: () => new Date(deps.clock.nowMs()).toISOString().slice(0, 10),
    organization,
    async referral({ status = 'USER', region = 'INDIA', referees = 1 } = {}) {
      const referrer = await organization();
      await query(
        `INSERT INTO partner_profiles (organization_id, partner_status, region) VALUES ($1, $2, $3)`,
        [referrer, status, region],
      );
      const code = referrer.slice(-12);
      await query('INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2)', [
        code,
        referrer,
      ]);
      const ids: string[] = [];
      for (let i = 0; i < referees; i++) {
        const id = await organization();
        await query(
          `INSERT INTO referee_relations (referee_organization_id, referrer_organization_id, code)
           VALUES ($1, $2, $3)`,
          [id, referrer, code],
        );
        ids.push(id);
      }
      return { referrer, referees: ids, referee: ids[0]! };
    },
  };
}

/** Every operation on money as its caller makes it. */
function operations(deps: AppDeps) {
  const contextAs = (organizationId: string, role: 'owner' | 'platform_admin') =>
    createContext(deps, uuidv7(), {
      userId: 'user-1',
      organizationId,
      workspaceId: undefined,
      roles: new Set([role]),
    });
  const owner = (organizationId: string) => contextAs(organizationId, 'owner');
  const admin = () => contextAs(uuidv7(), 'platform_admin');
  const keyed = (operation: string, idempotencyKey: string | undefined) => ({
    operation,
    idempotencyKey,
  });
  return {
    pay(
      organizationId: string,
      amountMinor: bigint,
      options: { id?: string; currency?: string; clearedAt?: Date } = {},
    ): Promise<RecordedPayment> {
      return deps.database.asSystem(em =>
        recordPayment(
          { em, deps },
          {
            id: uuidv7(),
            currency: 'INR',
            clearedAt: new Date(deps.clock.nowMs()),
            ...options,
            organizationId,
            amountMinor,
          },
        ),
      );
    },
    refund: (paymentId: string, amountMinor: bigint, id: string = uuidv7()) =>
      deps.database.asSystem(em => recordRefund({ em, deps }, { id, paymentId, amountMinor })),
    chargeback: (paymentId: string, id: string = uuidv7()) =>
      deps.database.asSystem(em => recordChargeback({ em, deps }, { id, paymentId })),
    chargebackWon: (paymentId: string, id: string) =>
      deps.database.asSystem(em => chargebackWon({ em, deps }, { id, paymentId })),
    redeem: (organizationId: string, input: RedeemCredits, key?: string) =>
      runAction(owner(organizationId), redeemCredits, input, keyed('creditsRedeem', key)),
    convert: (organizationId: string, amountMinor?: bigint, key?: string) =>
      runAction(
        owner(organizationId),
        convertCreditsToCash,
        { amountMinor },
        keyed('creditsToCash', key),
      ),
    requestPayout: (organizationId: string, amountMinor: bigint, key?: string) =>
      runAction(owner(organizationId), requestPayout, { amountMinor }, keyed('payoutRequest', key)),
    advancePayout: (step: AdvancePayout) => runPlatformAction(admin(), advancePayout, step),
    registerInvoice: (
      organizationId: string,
      invoiceId: string,
      totalMinor: bigint,
      channel?: InvoiceChannel,
    ) =>
      runPlatformAction(admin(), registerInvoice, {
        organizationId,
        invoiceId,
        totalMinor,
        currency: 'INR',
        channel,
      }),
    wallet: (organizationId: string): Promise<WalletView> =>
      deps.database.asTenant(organizationId, em =>
        walletOf(em, { organizationId, nowMs: deps.clock.nowMs() }),
      ),
  };
}
