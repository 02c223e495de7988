import { builder } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { paymentFilterArgs } from './payment.graph.ts';
import { type GatewayPaymentTotal, gatewayPaymentTotals } from './payment-totals.reads.ts';

const GatewayPaymentTotalRef = memberObject<GatewayPaymentTotal>('GatewayPaymentTotal', {
  description: 'The totals for the successful payments in one currency.',
  fields: t => ({
    currencyCode: t.field({
      type: 'CurrencyCode',
      nullable: false,
      description: 'The currency of the payments.',
      resolve: ({ currencyCode }) => currencyCode,
    }),
    ...expose(t, 'Int!', { paymentCount: 'The number of successful payments.' }),
    paid: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The sum of the successful payments.',
      resolve: ({ paidMinor, currencyCode }) => ({ amountMinor: paidMinor, currencyCode }),
    }),
    refunded: t.field({
      type: MoneyRef,
      nullable: false,
      description:
        'The sum of the successful refunds of these payments, regardless of when the refunds were made.',
      resolve: ({ refundedMinor, currencyCode }) => ({
        amountMinor: refundedMinor,
        currencyCode,
      }),
    }),
    net: t.field({
      type: MoneyRef,
      nullable: false,
      description:
        'The payments less their refunds. Payment gateway fees and disputes are not deducted.',
      resolve: ({ paidMinor, refundedMinor, currencyCode }) => ({
        amountMinor: paidMinor - refundedMinor,
        currencyCode,
      }),
    }),
  }),
});

/** Independent of the number of payments. */
const TOTALS_COST = 50;

builder.queryField('gatewayPaymentTotals', t =>
  t.field({
    type: [GatewayPaymentTotalRef],
    nullable: false,
    description:
      'The totals of the successful payments to the viewer’s workspace, one total per currency. Only payments that match the filters are included. The filters are the same as for `gatewayPayments`. Debits that verify a mandate are not included. Fails with REPORT_TOO_LARGE if more than 100,000 payments match.',
    authScopes: { member: true },
    args: paymentFilterArgs(t.arg),
    complexity: { field: TOTALS_COST, multiplier: 1 },
    resolve: (_root, filter, { context }) => gatewayPaymentTotals(context, filter),
  }),
);
