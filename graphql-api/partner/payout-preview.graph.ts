import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { money } from '../platform/graph/money.ts';
import { type PayoutPreview, payoutPreview } from './payout-preview.reads.ts';

const PayoutRefusalEnum = describedEnum(
  'PayoutRefusal',
  'Why a payout request would be refused. If there is more than one reason, the first one in this order is returned: KYC_NOT_APPROVED, BELOW_MIN_THRESHOLD, INSUFFICIENT_BALANCE, NET30_GUARDRAIL.',
  {
    KYC_NOT_APPROVED: 'The KYC is not approved.',
    BELOW_MIN_THRESHOLD: 'The amount is below the minimum payout.',
    INSUFFICIENT_BALANCE: 'The amount exceeds the cash balance.',
    NET30_GUARDRAIL: 'The amount exceeds the cash that has been held long enough to be paid out.',
  },
);

const PayoutPreviewRef = memberObject<PayoutPreview>('PayoutPreview', {
  description: 'The expected result of a payout request made now.',
  fields: t => ({
    payable: money(t, 'payableMinor', {
      description: 'The cash that has been held long enough to be paid out.',
      complexity: 0,
    }),
    ...expose(t, 'DateTime', {
      nextEligibleAt:
        'When more cash becomes eligible for payout; null if all cash is already eligible.',
    }),
    ...expose(t, 'Int', {
      taxRateBps:
        'The tax rate that would apply, in basis points; null if the KYC is not approved.',
    }),
    tax: money<PayoutPreview, true>(t, 'taxMinor', {
      description:
        'The tax that would be deducted; null if no amount was given or the KYC is not approved.',
      nullable: true,
      complexity: 0,
    }),
    net: money<PayoutPreview, true>(t, 'netMinor', {
      description:
        'The amount that would be sent to the bank; null if no amount was given or the KYC is not approved.',
      nullable: true,
      complexity: 0,
    }),
    refusal: t.expose('refusal', {
      type: PayoutRefusalEnum,
      description: 'Why the request would be refused; null if it would be accepted.',
    }),
  }),
});

builder.queryField('payoutPreview', t =>
  t.field({
    type: PayoutPreviewRef,
    nullable: false,
    description:
      'The expected result of `payoutRequest`. If no amount is given, `refusal` applies to a payout of the minimum amount.',
    authScopes: { member: true },
    args: {
      requestedAmount: t.arg({ type: 'Decimal', description: 'The gross amount, before tax.' }),
    },
    resolve: (_root, { requestedAmount }, { context }) =>
      payoutPreview(context, requestedAmount ?? undefined),
  }),
);
