import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import type { GatewayDispute } from './dispute.entity.ts';
import { gatewayDisputesPage } from './money.reads.ts';

const GatewayDisputeRef = builder.objectRef<GatewayDispute>('GatewayDispute').implement({
  description: 'A payment that the payer’s bank asks back.',
  authScopes: { member: true },
  fields: t => ({
    disputeId: t.exposeString('disputeId', {
      nullable: false,
      description: 'The gateway’s id of it.',
    }),
    type: t.exposeString('type', {
      nullable: false,
      description:
        'How far it has gone: RETRIEVAL, DISPUTE, CHARGEBACK, PRE_ARBITRATION, ARBITRATION.',
    }),
    status: t.exposeString('status', { nullable: false, description: 'The gateway’s word.' }),
    cfPaymentId: t.exposeString('cfPaymentId', { description: 'The payment.' }),
    orderId: t.exposeString('orderId', { description: 'The order that it was of.' }),
    amount: t.field({
      type: MoneyRef,
      description: 'What is asked back.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    reasonCode: t.exposeString('reasonCode', { description: 'The bank’s code.' }),
    reason: t.exposeString('reason', { description: 'Why, in words.' }),
    respondBy: t.expose('respondBy', {
      type: 'DateTime',
      description: 'Until when the merchant may answer.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When we learned of it.',
    }),
  }),
});

const GatewayDisputeConnection = connectionType('GatewayDispute', GatewayDisputeRef);

builder.queryField('gatewayDisputes', t =>
  t.field({
    type: GatewayDisputeConnection,
    nullable: false,
    description: 'Payments to the viewer’s workspace that are disputed.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await gatewayDisputesPage(context, page), page),
  }),
);
