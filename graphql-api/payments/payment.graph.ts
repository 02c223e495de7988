import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose } from '../platform/graph/fields.ts';
import { money } from '../platform/graph/money.ts';
import { gatewayPaymentById, gatewayPayments } from './object.reads.ts';
import type { GatewayPayment } from './payment.entity.ts';

const GatewayPaymentKindEnum = describedEnum('GatewayPaymentKind', 'The kind of a payment.', {
  ONE_TIME: 'A payment of an order or a payment link.',
  MANDATE_AUTHORIZATION:
    'The small debit that verifies a mandate. It is neither a renewal nor income.',
  RENEWAL: 'A recurring debit under a mandate.',
});

const GatewayPaymentRef = builder.objectRef<GatewayPayment>('GatewayPayment').implement({
  description: 'A payment attempt.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'String!', { cfPaymentId: 'The payment gateway’s ID of the payment.' }),
    ...expose(t, GatewayPaymentKindEnum, { kind: 'The kind of payment.' }),
    ...expose(t, 'String!', {
      status: 'The payment gateway’s status, for example SUCCESS, FAILED, PENDING or USER_DROPPED.',
    }),
    amount: money(t, 'amountMinor', { description: 'The amount.' }),
    ...expose(t, 'Int!', {
      retryAttempts: 'For a renewal, the number of retries by the payment gateway.',
    }),
    ...expose(t, 'String', {
      orderId: 'The order that it pays; null if there is none.',
      linkId: 'The payment link that it pays; null if there is none.',
      subscriptionId: 'The subscription that it is charged under; null if there is none.',
      method: 'The payment method; null if it is unknown.',
      failure: 'Why it failed; null if it did not or the reason is unknown.',
    }),
    ...expose(t, 'DateTime', { paidAt: 'When it was paid; null if it was not.' }),
    ...expose(t, 'DateTime!', { createdAt: 'When it was first recorded.' }),
  }),
});

pageQuery('gatewayPayments', {
  type: connectionType('GatewayPayment', GatewayPaymentRef),
  description: 'The payments to the viewer’s workspace.',
  page: gatewayPayments.page,
});

builder.queryField('gatewayPayment', t =>
  t.field({
    type: GatewayPaymentRef,
    description: 'A payment to the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: {
      cfPaymentId: t.arg.string({
        required: true,
        description: 'The payment gateway’s ID of the payment.',
      }),
    },
    resolve: (_root, { cfPaymentId }, { context }) => gatewayPaymentById(context, cfPaymentId),
  }),
);
