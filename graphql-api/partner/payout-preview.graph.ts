import { builder } from '../platform/graph/builder.ts';
import { MoneyRef, money } from '../platform/graph/money.ts';
import { type PayoutPreview, payoutPreview } from './payout-preview.reads.ts';

const PayoutRefusalEnum = builder.enumType('PayoutRefusal', {
  description:
    'Why a payout request would be rejected. If there is more than one reason, the first in this order is returned.',
  values: {
    KYC_NOT_APPROVED: { description: 'The KYC is not approved.' },
    BELOW_MIN_THRESHOLD: { description: 'The amount is below the minimum payout.' },
    INSUFFICIENT_BALANCE: { description: 'The amount exceeds the cash balance.' },
    NET30_GUARDRAIL: {
      description: 'The amount exceeds the cash that has reached the minimum age.',
    },
  },
});

const PayoutPreviewRef = builder.objectRef<PayoutPreview>('PayoutPreview').implement({
  description: 'The expected result of a payout request made now.',
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
      payable: money(t, 'payableMinor', {
        description: 'The cash that has reached the minimum age.',
        complexity: 0,
      }),
      nextEligibleAt: t.expose('nextEligibleAt', {
        type: 'DateTime',
        description: 'When more cash reaches the minimum age; null if all of it has.',
      }),
      taxRateBps: t.exposeInt('taxRateBps', {
        description:
          'The tax rate that would apply, in basis points; null if the KYC is not approved.',
      }),
      tax: amount(
        'taxMinor',
        'The tax that would be deducted; null if no amount was given or the KYC is not approved.',
      ),
      net: amount(
        'netMinor',
        'The amount that would be sent to the bank; null if no amount was given or the KYC is not approved.',
      ),
      refusal: t.field({
        type: PayoutRefusalEnum,
        description: 'Why the request would be rejected; null if it would be accepted.',
        resolve: ({ refusal }) => refusal,
      }),
    };
  },
});

builder.queryField('payoutPreview', t =>
  t.field({
    type: PayoutPreviewRef,
    nullable: false,
    description:
      'The expected result of `payoutRequest`. If no amount is given, `refusal` is determined for the minimum payout.',
    authScopes: { member: true },
    args: {
      requestedAmount: t.arg({ type: 'Decimal', description: 'The gross amount, before tax.' }),
    },
    resolve: (_root, { requestedAmount }, { context }) =>
      payoutPreview(context, requestedAmount ?? undefined),
  }),
);
