import { builder } from '../platform/graph/builder.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { type PayoutPreview, payoutPreview } from './payout-preview.reads.ts';

const PayoutRefusalEnum = builder.enumType('PayoutRefusal', {
  description: 'Why a payout would be refused; the first of them, in this order.',
  values: {
    KYC_NOT_APPROVED: { description: 'The KYC is to be approved first.' },
    BELOW_MIN_THRESHOLD: { description: 'It is less than the terms’ minimum.' },
    INSUFFICIENT_BALANCE: { description: 'There is not so much cash.' },
    NET30_GUARDRAIL: { description: 'Not so much of it is old enough.' },
  },
});

const PayoutPreviewRef = builder.objectRef<PayoutPreview>('PayoutPreview').implement({
  description: 'What would come of asking for cash now.',
  authScopes: { member: true },
  fields: t => {
    const amount = (name: 'taxMinor' | 'netMinor', description: string) =>
      t.field({
        type: MoneyRef,
        description,
        complexity: 0,
        resolve: (preview: PayoutPreview) => {
          const amountMinor = preview[name];
          return amountMinor === null ? null : { amountMinor, currencyCode: preview.currency };
        },
      });
    return {
      payable: t.field({
        type: MoneyRef,
        nullable: false,
        description: 'Cash that is old enough.',
        complexity: 0,
        resolve: ({ payableMinor, currency }) => ({
          amountMinor: payableMinor,
          currencyCode: currency,
        }),
      }),
      nextEligibleAt: t.expose('nextEligibleAt', {
        type: 'DateTime',
        description: 'When more of it is; null where none waits.',
      }),
      taxRateBps: t.exposeInt('taxRateBps', {
        description: 'What would be deducted, in basis points; null before the KYC is approved.',
      }),
      tax: amount('taxMinor', 'What would be deducted; null where no amount was said.'),
      net: amount('netMinor', 'What the bank would be sent.'),
      refusal: t.field({
        type: PayoutRefusalEnum,
        description: 'Why it would be refused; null where it would not.',
        resolve: ({ refusal }) => refusal,
      }),
    };
  },
});

builder.queryField('payoutPreview', t =>
  t.field({
    type: PayoutPreviewRef,
    nullable: false,
    description: 'What payoutRequest would do; without an amount, with the least that is paid out.',
    authScopes: { member: true },
    args: { requestedAmount: t.arg({ type: 'Decimal', description: 'Before tax.' }) },
    resolve: (_root, { requestedAmount }, { context }) =>
      payoutPreview(context, requestedAmount ?? undefined),
  }),
);
