// Inputs of platform admins about invoices, payments, payouts and terms.

import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { amountDecimal } from '../platform/amount.contract.ts';
import { PAYOUT_STATUSES } from './wallet.contract.ts';

/** Payouts per request. Their wallets stay locked until the request ends. */
const BULK_MAX = 100;
/** A bank reference (UTR) has 22 characters; a reason is a sentence or two. */
export const NOTE_CHARACTERS_MAX = 500;
const GATEWAY_ID_CHARACTERS_MAX = 255;

const gatewayId = requiredText(GATEWAY_ID_CHARACTERS_MAX);
const currency = z.string().regex(/^[A-Z]{3}$/, { error: 'must be a currency code, such as INR.' });

export const invoiceRegisterContract = z.strictObject({
  organizationId: z.uuid(),
  invoiceId: requiredText(GATEWAY_ID_CHARACTERS_MAX),
  total: amountDecimal,
  currency,
  channel: z.enum(['SMS', 'MESSAGING_APP', 'RCS', 'EMAIL']).nullish(),
});
export type InvoiceRegister = z.output<typeof invoiceRegisterContract>;

export const paymentRecordContract = z.strictObject({
  paymentId: gatewayId,
  organizationId: z.uuid(),
  amount: amountDecimal,
  currency,
  clearedAt: z.date().nullish(),
});
export type PaymentRecord = z.output<typeof paymentRecordContract>;

export const refundRecordContract = z.strictObject({
  refundId: gatewayId,
  paymentId: gatewayId,
  amount: amountDecimal,
});
export type RefundRecord = z.output<typeof refundRecordContract>;

export const chargebackRecordContract = z.strictObject({
  chargebackId: gatewayId,
  paymentId: gatewayId,
  isWon: z.boolean().nullish(),
});
export type ChargebackRecord = z.output<typeof chargebackRecordContract>;

const payoutStep = z.strictObject({
  id: z.uuid(),
  to: z.enum(PAYOUT_STATUSES).exclude(['REQUESTED']),
  bankReference: requiredText(NOTE_CHARACTERS_MAX).nullish(),
  reason: requiredText(NOTE_CHARACTERS_MAX).nullish(),
});

/** PAID requires a bank reference only; REJECTED, FAILED and REVERSED require a reason only. */
function checkNotes(context: z.core.ParsePayload<z.output<typeof payoutStep>>): void {
  const { to, bankReference, reason } = context.value;
  const needs = to === 'PAID' ? 'bankReference' : to === 'PROCESSING' ? undefined : 'reason';
  for (const [name, text] of Object.entries({ bankReference, reason })) {
    if ((name === needs) === (text != null)) continue;
    const message = name === needs ? `is required for ${to}.` : `is not allowed for ${to}.`;
    context.issues.push({ code: 'custom', path: [name], message, input: context.value });
  }
}

export const payoutAdvanceContract = payoutStep.check(checkNotes);
export type PayoutAdvance = z.output<typeof payoutAdvanceContract>;

export const payoutBulkAdvanceContract = z.strictObject({
  payouts: z.array(payoutAdvanceContract).min(1).max(BULK_MAX),
});
export type PayoutBulkAdvance = z.output<typeof payoutBulkAdvanceContract>;

export const creditRescheduleContract = z.strictObject({
  id: z.uuid(),
  releaseDate: z.iso.date({ error: 'must be a date, such as 2026-11-21.' }),
  reason: requiredText(NOTE_CHARACTERS_MAX),
});
export type CreditReschedule = z.output<typeof creditRescheduleContract>;

const days = z.int().min(0).max(3_650);
const bps = z.int().min(0).max(10_000);

/** Omitted fields are unchanged. Existing earnings keep their terms. */
export const programTermsUpdateContract = z.strictObject({
  region: z.string().regex(/^[A-Z][A-Z_]{0,31}$/, { error: 'must be a region, such as INDIA.' }),
  creditRateBps: bps.nullish(),
  holdDays: days.nullish(),
  commissionRateBps: bps.nullish(),
  commissionMonths: z.int().min(0).max(1_200).nullish(),
  commissionAgeDays: days.nullish(),
  payoutMinimum: amountDecimal.nullish(),
  dormancyDays: z.int().min(1).max(36_500).nullish(),
});
export type ProgramTermsUpdate = z.output<typeof programTermsUpdateContract>;

export const partnerRegionSetContract = z.strictObject({
  organizationId: z.uuid(),
  region: programTermsUpdateContract.shape.region,
});
export type PartnerRegionSet = z.output<typeof partnerRegionSetContract>;
