// The operations on money of the partner program, with their own database (its jobs process all
// wallets) and a clock that only the test advances.

import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, inject } from 'vitest';
import type { ZodType, z } from 'zod';
import { creditsToCash } from '../../../../graphql-api/partner/credit.convert-to-cash.ts';
import { creditsRedeem } from '../../../../graphql-api/partner/credit.redeem.ts';
import { invoiceRegister } from '../../../../graphql-api/partner/invoice.register.ts';
import {
  type InvoiceRegister,
  invoiceRegisterContract,
  type PayoutAdvance,
  payoutAdvanceContract,
} from '../../../../graphql-api/partner/partner-admin.contract.ts';
import {
  type RecordedPayment,
  recordPayment,
} from '../../../../graphql-api/partner/payment.record.ts';
import { payoutAdvance } from '../../../../graphql-api/partner/payout.advance.ts';
import { payoutRequest } from '../../../../graphql-api/partner/payout.request.ts';
import {
  chargebackWon,
  recordChargeback,
  recordRefund,
} from '../../../../graphql-api/partner/reversal.record.ts';
import {
  creditsRedeemContract,
  creditsToCashContract,
  payoutRequestContract,
} from '../../../../graphql-api/partner/wallet.contract.ts';
import { type WalletView, walletOf } from '../../../../graphql-api/partner/wallet.reads.ts';
import { type AppDeps, createContext } from '../../../../graphql-api/platform/context.ts';
import { contractRejections } from '../../../../graphql-api/platform/contract-rejections.ts';
import { decimalOf } from '../../../../graphql-api/platform/money.ts';
import { Rejected } from '../../../../graphql-api/platform/rejected.ts';
import { runAction, runPlatformAction } from '../../../../graphql-api/platform/run-action.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { sql } from '../../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';

/** The time of the daily release, so that a hold of whole days ends with a release. */
export const START_MS = Date.UTC(2026, 0, 10, 2);
export const DAY_MS = 24 * 60 * 60 * 1000;

export type Money = {
  readonly deps: TestDeps;
  readonly urls: Readonly<Record<Role, string>>;
  /** Runs a statement as the owner of the tables, or as another role. */
  readonly sql: (
    text: string,
    values?: unknown[],
    role?: Role,
  ) => Promise<Record<string, unknown>[]>;
  /** The same operations with other dependencies, such as those of a dying process. */
  readonly with: (deps: AppDeps) => MoneyOperations;
  readonly advanceDays: (days: number) => void;
  /** The current UTC day. */
  readonly today: () => string;
  readonly organization: () => Promise<string>;
  /** Creates a referrer and the organizations that it referred. */
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

export type RedeemCredits = {
  readonly invoiceId: string;
  readonly invoiceTotalMinor: bigint;
  readonly amountMinor: bigint;
};

/** The amount in a currency with two decimals, like those of all regions. */
function decimal(amountMinor: bigint): string {
  return decimalOf({ amountMinor, currencyCode: 'INR' });
}

/** Validates the input of an action against its contract, like a mutation does. */
function checked<C extends ZodType>(contract: C, input: z.input<C>): z.output<C> {
  const result = contract.safeParse(input);
  if (!result.success) throw new Rejected(contractRejections(result.error));
  return result.data;
}

/** All operations on money, called like in production. */
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
    redeem: async (
      organizationId: string,
      { invoiceId, invoiceTotalMinor, amountMinor }: RedeemCredits,
      key?: string,
    ) => {
      const input = checked(creditsRedeemContract, {
        invoiceId,
        invoiceTotal: decimal(invoiceTotalMinor),
        requestedAmount: decimal(amountMinor),
      });
      return runAction(owner(organizationId), creditsRedeem, input, keyed('creditsRedeem', key));
    },
    convert: async (organizationId: string, amountMinor?: bigint, key?: string) => {
      const requestedAmount = amountMinor === undefined ? undefined : decimal(amountMinor);
      const input = checked(creditsToCashContract, { requestedAmount });
      return runAction(owner(organizationId), creditsToCash, input, keyed('creditsToCash', key));
    },
    requestPayout: async (organizationId: string, amountMinor: bigint, key?: string) => {
      const input = checked(payoutRequestContract, { requestedAmount: decimal(amountMinor) });
      return runAction(owner(organizationId), payoutRequest, input, keyed('payoutRequest', key));
    },
    advancePayout: async (step: PayoutAdvance) =>
      runPlatformAction(admin(), payoutAdvance, checked(payoutAdvanceContract, step)),
    registerInvoice: async (
      organizationId: string,
      invoiceId: string,
      totalMinor: bigint,
      channel?: InvoiceRegister['channel'],
    ) => {
      const total = decimal(totalMinor);
      const invoice = { organizationId, invoiceId, total, currency: 'INR', channel };
      return runPlatformAction(admin(), invoiceRegister, checked(invoiceRegisterContract, invoice));
    },
    wallet: (organizationId: string): Promise<WalletView> =>
      deps.database.asTenant(organizationId, em =>
        walletOf(em, { organizationId, nowMs: deps.clock.nowMs() }),
      ),
  };
}
