import type { ArgBuilder } from '@pothos/core';
import { builder, type GraphContext, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { MoneyRef, money } from '../platform/graph/money.ts';
import { GatewayLinkRef } from './link.graph.ts';
import { GatewayOrderRef } from './order.graph.ts';
import type { GatewayPayment } from './payment.entity.ts';
import { moneyBackOfPayments } from './payment.money-back.ts';
import {
  gatewayPaymentById,
  gatewayPaymentsPage,
  linksOfPayments,
  ordersOfPayments,
  subscriptionsOfPayments,
} from './payment.reads.ts';
import { GatewaySubscriptionRef } from './subscription.graph.ts';

const orderOfPayment = loaderBy(ordersOfPayments, ({ orderId }) => orderId);
const linkOfPayment = loaderBy(linksOfPayments, ({ linkId }) => linkId);
const subscriptionOfPayment = loaderBy(
  subscriptionsOfPayments,
  ({ subscriptionId }) => subscriptionId,
);

const moneyBackOf = loaderById(moneyBackOfPayments);

async function sumBack(
  { id, currency }: GatewayPayment,
  graph: GraphContext,
  part: 'refundedMinor' | 'refundableMinor',
) {
  return { amountMinor: (await moneyBackOf(graph, id))?.[part] ?? 0n, currencyCode: currency };
}

const GatewayPaymentKindEnum = describedEnum('GatewayPaymentKind', 'The kind of payment.', {
  ONE_TIME: 'A one-time payment for an order or through a payment link.',
  MANDATE_AUTHORIZATION:
    'The small debit that verifies a mandate. It counts neither as a renewal nor as income.',
  RENEWAL: 'A recurring debit under a mandate.',
});

const GatewayPaymentRef = memberObject<GatewayPayment>('GatewayPayment', {
  description: 'A payment attempt.',
  fields: t => ({
    ...expose(t, 'String!', { cfPaymentId: 'The payment gateway’s ID for the payment.' }),
    ...expose(t, GatewayPaymentKindEnum, { kind: 'The kind of payment.' }),
    ...expose(t, 'String!', {
      status:
        'The payment gateway’s status for the payment, for example SUCCESS, FAILED, PENDING or USER_DROPPED.',
    }),
    amount: money(t, 'amountMinor', { description: 'The amount of the payment.' }),
    amountRefunded: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The sum of the payment’s successful refunds.',
      resolve: (payment, _args, graph) => sumBack(payment, graph, 'refundedMinor'),
    }),
    amountRefundable: t.field({
      type: MoneyRef,
      nullable: false,
      description:
        'The amount that can still be refunded, after successful and pending refunds are deducted. Zero if the payment did not succeed, or if it is for neither an order nor a subscription.',
      resolve: (payment, _args, graph) => sumBack(payment, graph, 'refundableMinor'),
    }),
    isDisputed: t.boolean({
      nullable: false,
      description:
        'Whether the payment has a dispute that the merchant has not won: one that is open, accepted or lost.',
      resolve: async ({ id }, _args, graph) => (await moneyBackOf(graph, id))?.isDisputed ?? false,
    }),
    ...expose(t, 'Int!', {
      retryAttempts:
        'The number of times the payment gateway has retried the renewal; 0 for other kinds of payment.',
    }),
    ...expose(t, 'String', {
      orderId: 'The ID of the order that the payment is for; null if there is none.',
      linkId:
        'The ID of the payment link through which the payment was made; null if there is none.',
      subscriptionId:
        'The ID of the subscription that the payment belongs to; null if there is none.',
      method: 'The payment method; null if it is unknown.',
      failure: 'Why the payment failed; null if it did not fail or the reason is unknown.',
    }),
    order: linked(
      t,
      'orderId',
      GatewayOrderRef,
      orderOfPayment,
      'The order that the payment is for; null if there is none, or if the order was not created through this service.',
    ),
    link: linked(
      t,
      'linkId',
      GatewayLinkRef,
      linkOfPayment,
      'The payment link through which the payment was made; null if there is none, or if the link was not created through this service.',
    ),
    subscription: linked(
      t,
      'subscriptionId',
      GatewaySubscriptionRef,
      subscriptionOfPayment,
      'The subscription that the payment belongs to; null if there is none, or if the subscription was not created through this service.',
    ),
    ...expose(t, 'DateTime', {
      paidAt: 'When the payment was made; null if it has not succeeded.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the payment was first recorded.' }),
  }),
});

/** Of the list and of the totals. */
export function paymentFilterArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    status: arg.string({
      description: 'Filters by the payment gateway’s status for the payment, for example FAILED.',
    }),
    methods: arg.stringList({
      description:
        'Filters by payment method, for example credit_card, ignoring case. Returns payments with any of the given methods.',
    }),
    objectId: arg.string({
      description:
        'Filters by the payment gateway’s ID for the payment or for its order, payment link or subscription.',
    }),
    search: arg.string({
      description:
        'Filters by any ID that `objectId` accepts, or by words in the payment link’s purpose or the order’s note. Each word of the search must match the beginning of a word in that text, ignoring case.',
    }),
    since: arg({
      type: 'DateTime',
      description: 'Returns payments that were first recorded at or after this time.',
    }),
    until: arg({
      type: 'DateTime',
      description: 'Returns payments that were first recorded before this time.',
    }),
  };
}

pageQuery('gatewayPayments', {
  type: connectionType('GatewayPayment', GatewayPaymentRef),
  description: 'The payments to the viewer’s workspace.',
  args: paymentFilterArgs,
  page: gatewayPaymentsPage,
});

builder.queryField('gatewayPayment', t =>
  t.field({
    type: GatewayPaymentRef,
    description: 'A payment to the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: {
      cfPaymentId: t.arg.string({
        required: true,
        description: 'The payment gateway’s ID for the payment.',
      }),
    },
    resolve: (_root, { cfPaymentId }, { context }) => gatewayPaymentById(context, cfPaymentId),
  }),
);
