import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { gatewayPaymentById, gatewayPaymentsPage } from './money.reads.ts';
import type { GatewayPayment } from './payment.entity.ts';

const GatewayPaymentKindEnum = builder.enumType('GatewayPaymentKind', {
  description: 'What a payment is.',
  values: {
    ONE_TIME: { description: 'Of an order or a link.' },
    MANDATE_AUTHORIZATION: {
      description: 'The small debit that proves a mandate: no renewal, and no income.',
    },
    RENEWAL: { description: 'A debit by a mandate.' },
  },
});

const GatewayPaymentRef = builder.objectRef<GatewayPayment>('GatewayPayment').implement({
  description: 'An attempt to pay.',
  authScopes: { member: true },
  fields: t => ({
    cfPaymentId: t.exposeString('cfPaymentId', {
      nullable: false,
      description: 'The gateway’s id of it.',
    }),
    kind: t.field({
      type: GatewayPaymentKindEnum,
      nullable: false,
      description: 'What it is.',
      resolve: ({ kind }) => kind,
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'The gateway’s word: SUCCESS, FAILED, PENDING, USER_DROPPED ….',
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What is paid.',
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    retryAttempts: t.exposeInt('retryAttempts', {
      nullable: false,
      description: 'Of a renewal: how often the gateway has tried again.',
    }),
    orderId: t.exposeString('orderId', { description: 'The order that it is of.' }),
    linkId: t.exposeString('linkId', { description: 'The payment link that it is of.' }),
    subscriptionId: t.exposeString('subscriptionId', { description: 'The mandate it is by.' }),
    method: t.exposeString('method', { description: 'How it is paid.' }),
    failure: t.exposeString('failure', { description: 'Why it failed.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', description: 'When it was paid.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When we learned of it.',
    }),
  }),
});

const GatewayPaymentConnection = connectionType('GatewayPayment', GatewayPaymentRef);

builder.queryField('gatewayPayments', t =>
  t.field({
    type: GatewayPaymentConnection,
    nullable: false,
    description: 'The payments to the viewer’s workspace.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await gatewayPaymentsPage(context, page), page),
  }),
);

builder.queryField('gatewayPayment', t =>
  t.field({
    type: GatewayPaymentRef,
    description: 'One payment to the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: {
      cfPaymentId: t.arg.string({ required: true, description: 'The gateway’s id of it.' }),
    },
    resolve: (_root, { cfPaymentId }, { context }) => gatewayPaymentById(context, cfPaymentId),
  }),
);
