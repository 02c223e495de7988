import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import type { GatewayDispute } from './dispute.entity.ts';
import { gatewayDisputes } from './object.reads.ts';

const GatewayDisputeRef = builder.objectRef<GatewayDispute>('GatewayDispute').implement({
  description: 'A payment disputed by the payer’s bank.',
  authScopes: { member: true },
  fields: t => ({
    disputeId: t.exposeString('disputeId', {
      nullable: false,
      description: 'The payment gateway’s ID of the dispute.',
    }),
    type: t.exposeString('type', {
      nullable: false,
      description:
        'The stage of the dispute: RETRIEVAL, DISPUTE, CHARGEBACK, PRE_ARBITRATION or ARBITRATION.',
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'The payment gateway’s status.',
    }),
    cfPaymentId: t.exposeString('cfPaymentId', {
      description: 'The payment gateway’s ID of the disputed payment; null if it is unknown.',
    }),
    orderId: t.exposeString('orderId', {
      description: 'The order that was paid; null if it is unknown.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The disputed amount; null if it is unknown.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    reasonCode: t.exposeString('reasonCode', {
      description: 'The bank’s reason code; null if none was given.',
    }),
    reason: t.exposeString('reason', {
      description: 'The reason, in words; null if none was given.',
    }),
    respondBy: t.expose('respondBy', {
      type: 'DateTime',
      description: 'The deadline for the merchant’s response; null if none was given.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the dispute was first recorded.',
    }),
  }),
});

pageQuery('gatewayDisputes', {
  type: connectionType('GatewayDispute', GatewayDisputeRef),
  description: 'The disputes of payments to the viewer’s workspace.',
  page: gatewayDisputes.page,
});
