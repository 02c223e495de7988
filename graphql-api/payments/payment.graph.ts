import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
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
    cfPaymentId: t.exposeString('cfPaymentId', {
      nullable: false,
      description: 'The payment gateway’s ID of the payment.',
    }),
    kind: t.field({
      type: GatewayPaymentKindEnum,
      nullable: false,
      description: 'The kind of payment.',
      resolve: ({ kind }) => kind,
    }),
    status: t.exposeString('status', {
      nullable: false,
      description:
        'The payment gateway’s status, for example SUCCESS, FAILED, PENDING or USER_DROPPED.',
    }),
    amount: money(t, 'amountMinor', { description: 'The amount.' }),
    retryAttempts: t.exposeInt('retryAttempts', {
      nullable: false,
      description: 'For a renewal, the number of retries by the payment gateway.',
    }),
    orderId: t.exposeString('orderId', {
      description: 'The order that it pays; null if there is none.',
    }),
    linkId: t.exposeString('linkId', {
      description: 'The payment link that it pays; null if there is none.',
    }),
    subscriptionId: t.exposeString('subscriptionId', {
      description: 'The subscription that it is charged under; null if there is none.',
    }),
    method: t.exposeString('method', { description: 'The payment method; null if it is unknown.' }),
    failure: t.exposeString('failure', {
      description: 'Why it failed; null if it did not or the reason is unknown.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      description: 'When it was paid; null if it was not.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was first recorded.',
    }),
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
