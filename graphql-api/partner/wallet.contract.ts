import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { amountDecimal, amountNumber } from '../platform/amount.contract.ts';
import { time } from '../platform/rest/time.contract.ts';

/** Far above the gateway's own limit. */
const INVOICE_ID_CHARACTERS_MAX = 255;
const INVISIBLE = /^\s|\s$|\p{C}/u;

const money = (description: string) => z.number().meta({ description, example: 1204.5 });
const date = z.iso.date().meta({ example: '2026-12-21' });
const id = z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' });
const currency = z.string().meta({ example: 'INR' });

/** The amounts of a wallet, with their descriptions in GraphQL and REST. */
export const WALLET_AMOUNTS = {
  creditsBalance: 'Credits that can be redeemed.',
  creditsEarned: 'Credits earned, net of clawbacks and including held credits.',
  creditsRedeemed: 'Credits redeemed to pay invoices, including reserved credits.',
  creditsReserved: 'Credits reserved for invoices that are not registered yet.',
  creditsConverted: 'Credits converted to cash.',
  creditsPending: 'Credits that are still held.',
  cashBalance: 'Cash that is not part of a payout.',
  // Converted credits are not included, since they were earned as credits.
  cashEarned: 'Cash commissions earned, net of clawbacks.',
  cashWithdrawn: 'Cash paid out, before tax.',
  cashInPayout: 'Cash in payouts that have not been paid or returned yet.',
  debt: 'Clawed-back amounts that the balances could not cover. Credits and cash that the wallet receives later go toward this debt first.',
} as const;

export const walletResource = z
  .object({
    status: z.literal('SUCCESS'),
    credits_balance: money(WALLET_AMOUNTS.creditsBalance),
    credits_earned: money(WALLET_AMOUNTS.creditsEarned),
    credits_redeemed: money(WALLET_AMOUNTS.creditsRedeemed),
    credits_pending: money(WALLET_AMOUNTS.creditsPending),
    pending_next_release_date: date.nullable(),
    cash_balance: money(WALLET_AMOUNTS.cashBalance),
    cash_earned: money(WALLET_AMOUNTS.cashEarned),
    cash_withdrawn: money(WALLET_AMOUNTS.cashWithdrawn),
    debt: money(WALLET_AMOUNTS.debt),
    is_dormant: z.boolean().meta({ example: false }),
    last_activity_at: time.nullable(),
  })
  .meta({ id: 'Wallet' });
export type WalletResource = z.output<typeof walletResource>;

export const pendingScheduleResource = z
  .object({
    status: z.literal('SUCCESS'),
    total_pending: money('The total of all held credits.'),
    next_release_date: date.nullable(),
    release_schedule: z.array(
      z
        .object({
          release_date: date,
          total_amount: money('The total amount released on that day.'),
          transaction_count: z.int().meta({ example: 2 }),
        })
        .meta({ id: 'PendingRelease' }),
    ),
  })
  .meta({ id: 'PendingSchedule' });
export type PendingScheduleResource = z.output<typeof pendingScheduleResource>;

export const transactionResource = z
  .object({
    id,
    kind: z.string().meta({ example: 'EARN_CREDIT' }),
    amount: money('The amount of the transaction. It is never negative.'),
    currency,
    source_type: z.string().meta({ example: 'earning' }),
    source_id: z.string().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a11' }),
    reverses_id: z.uuid().nullable().meta({
      description:
        'The ID of the transaction that this one fully or partly reverses; null if there is none.',
      example: null,
    }),
    created_at: time,
    entries: z
      .array(
        z.object({
          account: z.enum(['PENDING', 'AVAILABLE', 'CASH', 'IN_PAYOUT', 'DEBT']),
          amount: z
            .number()
            .meta({ description: 'The amount added to the account; negative for a deduction.' }),
          balance_after: z.number(),
        }),
      )
      .meta({
        description: 'The changes to the wallet’s accounts. A debt is a negative balance.',
        example: [{ account: 'PENDING', amount: 1204.5, balance_after: 2500 }],
      }),
  })
  .meta({ id: 'LedgerTransaction' });
export type TransactionResource = z.output<typeof transactionResource>;

/** Compared byte for byte, so IDs that look alike must be alike: no outer or invisible spaces. */
const invoiceId = requiredText(INVOICE_ID_CHARACTERS_MAX)
  .refine(value => !INVISIBLE.test(value), {
    error: 'must not start or end with a space or contain invisible characters.',
  })
  .meta({ example: 'INV-2026-0042' });

export const creditsRedeemContract = z.strictObject({
  invoiceId,
  invoiceTotal: amountDecimal,
  requestedAmount: amountDecimal,
});
export type CreditsRedeem = z.output<typeof creditsRedeemContract>;

export const creditsRedeemBody = z
  .strictObject({
    invoice_id: invoiceId,
    invoice_total: amountNumber.meta({ example: 5000 }),
    requested_amount: amountNumber.meta({
      description:
        'The amount of credits to redeem: at most half of the invoice total, with at most 2 decimal places.',
      example: 1204.5,
    }),
  })
  .meta({ id: 'CreditsRedeem' });

export const redemptionResource = z
  .object({
    id,
    invoice_id: z.string().meta({ example: 'INV-2026-0042' }),
    invoice_total: money('The invoice total.'),
    amount: money('The amount of credits redeemed.'),
    currency,
    status: z.enum(['RESERVED', 'CAPTURED', 'RELEASED']).meta({
      description:
        'RESERVED until the invoice is registered; then CAPTURED if the reservation matches the invoice, or RELEASED if it does not.',
      example: 'CAPTURED',
    }),
    expires_at: time.nullable().meta({
      description: 'When the reservation expires; null if there is no reservation.',
      example: null,
    }),
    created_at: time,
  })
  .meta({ id: 'Redemption' });
export type RedemptionResource = z.output<typeof redemptionResource>;

export const creditsToCashContract = z.strictObject({ requestedAmount: amountDecimal.nullish() });
export type CreditsToCash = z.output<typeof creditsToCashContract>;

export const creditsToCashBody = z
  .strictObject({
    requested_amount: amountNumber.nullish().meta({
      description:
        'The amount of credits to convert, with at most 2 decimal places. Defaults to the whole balance.',
      example: 500,
    }),
  })
  .meta({ id: 'CreditsToCash' });

export const conversionResource = z
  .object({
    id,
    amount: money('The amount converted, at a rate of 1:1.'),
    currency,
    eligible_at: time.meta({ description: 'When the cash becomes eligible for payout.' }),
    created_at: time,
  })
  .meta({ id: 'Conversion' });
export type ConversionResource = z.output<typeof conversionResource>;

export const payoutRequestContract = z.strictObject({ requestedAmount: amountDecimal });
export type PayoutRequest = z.output<typeof payoutRequestContract>;

export const payoutRequestBody = z
  .strictObject({ requested_amount: amountNumber.meta({ example: 1500 }) })
  .meta({ id: 'PayoutRequest' });

export const PAYOUT_STATUSES = [
  'REQUESTED',
  'PROCESSING',
  'PAID',
  'REJECTED',
  'FAILED',
  'REVERSED',
] as const;

export const payoutResource = z
  .object({
    id,
    status: z.enum(PAYOUT_STATUSES).meta({ example: 'PAID' }),
    gross_amount: money('The requested amount, before tax.'),
    tax_rate_percent: z.number().meta({ example: 2 }),
    tax_amount: money('The tax deducted.'),
    net_amount: money('The amount sent to the bank: gross minus tax.'),
    currency,
    bank_reference: z.string().nullable().meta({ example: 'UTR000123456789' }),
    reason: z.string().nullable().meta({
      description: 'Why the payout was rejected, failed or was reversed; null otherwise.',
      example: null,
    }),
    requested_at: time,
    processing_at: time.nullable(),
    paid_at: time.nullable(),
    closed_at: time.nullable().meta({
      description: 'When the payout was rejected, failed or was reversed; null otherwise.',
      example: null,
    }),
  })
  .meta({ id: 'Payout' });
export type PayoutResource = z.output<typeof payoutResource>;
