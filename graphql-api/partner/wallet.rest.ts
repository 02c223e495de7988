import { createRoute, type z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../platform/http-env.ts';
import { numberOf } from '../platform/money.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  idempotencyHeader,
  json,
  type RestApp,
  resultOf,
} from '../platform/rest/rest-app.ts';
import { changeRoute, showRoute } from '../platform/rest/routes.ts';
import { runAction } from '../platform/run-action.ts';
import type { Conversion } from './conversion.entity.ts';
import { creditsToCash } from './credit.convert-to-cash.ts';
import { creditsRedeem } from './credit.redeem.ts';
import { ownTerms } from './program-terms.reads.ts';
import type { Redemption } from './redemption.entity.ts';
import { conversions, redemptions } from './redemption.reads.ts';
import {
  type ConversionResource,
  conversionResource,
  creditsRedeemBody,
  creditsToCashBody,
  type PendingScheduleResource,
  pendingScheduleResource,
  type RedemptionResource,
  redemptionResource,
  type WalletResource,
  walletResource,
} from './wallet.contract.ts';
import { ownSchedule, ownWallet, type PendingSchedule, type WalletView } from './wallet.reads.ts';

export function walletRoutes(app: RestApp): void {
  showRoute(app, {
    path: '/api/v1/referrals/wallet',
    tag: 'Wallet',
    operationId: 'getWallet',
    summary: 'Retrieve the wallet',
    description:
      'Returns the credits, which can be redeemed to pay invoices, and the cash, which can be paid out. All amounts are zero before the first earning.',
    result: ['The wallet.', walletResource],
    show: async (_, context) => walletAnswer(await ownWallet(context)),
  });
  showRoute(app, {
    path: '/api/v1/referrals/wallet/pending',
    tag: 'Wallet',
    operationId: 'getPendingCredits',
    summary: 'Retrieve the release schedule for held credits',
    description:
      'Credits are held for the program’s hold period after the payment that earned them, and are then released at 02:00 UTC.',
    result: ['The release schedule.', pendingScheduleResource],
    show: async (_, context) => {
      const { currency } = await ownTerms(context);
      return scheduleAnswer(await ownSchedule(context), currency);
    },
  });
  changeRoute(app, {
    path: '/api/v1/referrals/credits/redeem',
    tag: 'Wallet',
    operationId: 'redeemCredits',
    summary: 'Redeem credits to pay part of an invoice',
    description:
      'Together, all redemptions for an invoice can cover at most half of the invoice. Credits are reserved if the invoice is not registered yet. Owners only.',
    body: creditsRedeemBody,
    result: [
      'The redemption, or a reservation if the invoice is not registered yet.',
      { redemption: redemptionResource },
    ],
    operation: 'creditsRedeem',
    action: creditsRedeem,
    input: body => ({
      invoiceId: body.invoice_id,
      invoiceTotal: String(body.invoice_total),
      requestedAmount: String(body.requested_amount),
    }),
    show: async ({ id }, context) => {
      const [redemption] = await redemptions.byIds(context, [id]);
      return { redemption: redemptionAnswer(redemption!) };
    },
  });
  creditsToCashRoute(app);
}

function creditsToCashRoute(app: RestApp): void {
  const convert = createRoute({
    method: 'post',
    path: '/api/v1/affiliates/credits-to-cash',
    tags: ['Wallet'],
    operationId: 'convertCreditsToCash',
    summary: 'Convert credits to cash',
    description:
      'Converts credits to cash, one to one. The body is optional; without an amount, all credits are converted. Fails with `KYC_NOT_APPROVED` (403) if the KYC is not approved. Owners only.',
    middleware: [allow('owner', 10), nothingIsNoBody],
    request: {
      headers: idempotencyHeader,
      body: { ...bodyOf(creditsToCashBody), required: false },
    },
    responses: {
      200: json('The conversion.', resultOf({ conversion: conversionResource })),
      ...changeErrors(403),
    },
  });
  app.openapi(convert, async c => {
    const { context } = c.var;
    const { requested_amount: amount } = (c.req.valid('json') ?? {}) as z.output<
      typeof creditsToCashBody
    >;
    const input = amount == null ? {} : { requestedAmount: String(amount) };
    const options = { operation: 'creditsToCash', idempotencyKey: c.req.header('idempotency-key') };
    const { id } = await runAction(context, creditsToCash, input, options);
    const [conversion] = await conversions.byIds(context, [id]);
    const answer = { status: 'SUCCESS' as const, conversion: conversionAnswer(conversion!) };
    return c.json(answer, 200);
  });
}

/** Some clients send a Content-Type header even without a body. */
const nothingIsNoBody: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if ((await c.req.text()) === '') c.req.raw.headers.delete('content-type');
  await next();
};

function walletAnswer(wallet: WalletView): WalletResource {
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: wallet.currency });
  return {
    status: 'SUCCESS',
    credits_balance: amount(wallet.creditsBalanceMinor),
    credits_earned: amount(wallet.creditsEarnedMinor),
    credits_redeemed: amount(wallet.creditsRedeemedMinor),
    credits_pending: amount(wallet.creditsPendingMinor),
    pending_next_release_date: wallet.pendingNextReleaseDate,
    cash_balance: amount(wallet.cashBalanceMinor),
    cash_earned: amount(wallet.cashEarnedMinor),
    cash_withdrawn: amount(wallet.cashWithdrawnMinor),
    debt: amount(wallet.debtMinor),
    is_dormant: wallet.isDormant,
    last_activity_at: wallet.lastActivityAt?.toISOString() ?? null,
  };
}

function scheduleAnswer(schedule: PendingSchedule, currencyCode: string): PendingScheduleResource {
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode });
  return {
    status: 'SUCCESS',
    total_pending: amount(schedule.totalPendingMinor),
    next_release_date: schedule.nextReleaseDate,
    release_schedule: schedule.releases.map(release => ({
      release_date: release.releaseDate,
      total_amount: amount(release.totalMinor),
      transaction_count: release.transactionCount,
    })),
  };
}

function redemptionAnswer(redemption: Redemption): RedemptionResource {
  const { amountMinor, invoiceTotalMinor, currency } = redemption;
  return {
    id: redemption.id,
    invoice_id: redemption.invoiceId,
    invoice_total: numberOf({ amountMinor: invoiceTotalMinor, currencyCode: currency }),
    amount: numberOf({ amountMinor, currencyCode: currency }),
    currency,
    status: redemption.status,
    expires_at: redemption.expiresAt?.toISOString() ?? null,
    created_at: redemption.createdAt.toISOString(),
  };
}

function conversionAnswer(conversion: Conversion): ConversionResource {
  const { amountMinor, currency } = conversion;
  return {
    id: conversion.id,
    amount: numberOf({ amountMinor, currencyCode: currency }),
    currency,
    eligible_at: conversion.eligibleAt.toISOString(),
    created_at: conversion.createdAt.toISOString(),
  };
}
