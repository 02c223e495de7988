import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import type { Conversion } from './conversion.entity.ts';
import { creditsToCash } from './credit.convert-to-cash.ts';
import { creditsRedeem } from './credit.redeem.ts';
import type { Redemption } from './redemption.entity.ts';
import { conversions, redemptions } from './redemption.reads.ts';
import { creditsRedeemContract, creditsToCashContract } from './wallet.contract.ts';

const RedemptionStatusEnum = describedEnum('RedemptionStatus', 'The status of a redemption.', {
  RESERVED: 'The credits are set aside for an invoice that is not registered yet.',
  CAPTURED: 'The credits were used to pay part of the invoice.',
  RELEASED:
    'The credits were returned to the balance because the registered invoice did not match or the reservation expired.',
});

const redemptionById = loaderById(redemptions.byIds);

const RedemptionRef: ObjectRef<SchemaTypes, Redemption> = memberNode('Redemption', redemptionById, {
  description: 'A redemption of credits to pay part of an invoice issued by the platform.',
  fields: t => ({
    ...expose(t, 'String!', { invoiceId: 'The invoice number.' }),
    invoiceTotal: money(t, 'invoiceTotalMinor', {
      description: 'The invoice total given in the request.',
    }),
    amount: money(t, 'amountMinor', { description: 'The amount of credits redeemed.' }),
    ...expose(t, RedemptionStatusEnum, { status: 'The status of the redemption.' }),
    ...expose(t, 'DateTime', {
      expiresAt:
        'When the reservation expires; null if the invoice was already registered at the time of the request.',
      settledAt: 'When the redemption was captured or released; null while it is reserved.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the redemption was requested.' }),
  }),
});

const RedemptionConnection = connectionType('Redemption', RedemptionRef);

pageQuery('redemptions', {
  type: RedemptionConnection,
  description: 'The redemptions of the viewer’s organization.',
  args: arg => ({ status: arg({ type: RedemptionStatusEnum, description: 'Filters by status.' }) }),
  page: (context, page, { status }) => redemptions.page(context, page, status ? { status } : {}),
});

mutation({
  name: 'creditsRedeem',
  description:
    'Redeems credits to pay part of an invoice issued by the platform. Together, all redemptions for an invoice can cover at most half of the invoice. Credits are reserved if the invoice is not registered yet.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    invoiceId: t.string({ required: true, description: 'The invoice number.' }),
    invoiceTotal: t.field({ type: 'Decimal', required: true, description: 'The invoice total.' }),
    requestedAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount of credits to redeem.',
    }),
  }),
  contract: creditsRedeemContract,
  codes: [
    'PASSTHROUGH_INVOICE',
    'INVOICE_MISMATCH',
    'INSUFFICIENT_BALANCE',
    'REDEMPTION_CAP_EXCEEDED',
  ],
  action: creditsRedeem,
  payload: changedObject('redemption', RedemptionRef, redemptionById, 'The redemption.'),
});

const conversionById = loaderById(conversions.byIds);

const ConversionRef: ObjectRef<SchemaTypes, Conversion> = memberNode('Conversion', conversionById, {
  description: 'A conversion of credits to cash.',
  fields: t => ({
    amount: money(t, 'amountMinor', { description: 'The amount converted, at a rate of 1:1.' }),
    ...expose(t, 'DateTime!', {
      eligibleAt: 'When the cash becomes eligible for payout.',
      createdAt: 'When the credits were converted.',
    }),
  }),
});

const ConversionConnection = connectionType('Conversion', ConversionRef);

pageQuery('conversions', {
  type: ConversionConnection,
  description: 'The conversions of the viewer’s organization.',
  page: (context, page) => conversions.page(context, page),
});

mutation({
  name: 'creditsToCash',
  description:
    'Converts credits to cash at a rate of 1:1. The organization’s KYC must be approved. The cash must be held for a minimum period after the conversion before it can be paid out.',
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    requestedAmount: t.field({
      type: 'Decimal',
      description: 'The amount of credits to convert. Defaults to the whole balance.',
    }),
  }),
  contract: creditsToCashContract,
  codes: ['KYC_NOT_APPROVED', 'INSUFFICIENT_BALANCE'],
  action: creditsToCash,
  payload: changedObject('conversion', ConversionRef, conversionById, 'The conversion.'),
});
