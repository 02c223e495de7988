import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import type { GatewayDispute } from './dispute.entity.ts';
import { gatewayDisputesPage } from './payment.reads.ts';

const GatewayDisputeRef = memberObject<GatewayDispute>('GatewayDispute', {
  description: 'A dispute about a payment, raised by the payer’s bank.',
  fields: t => ({
    ...expose(t, 'String!', {
      disputeId: 'The payment gateway’s ID for the dispute.',
      type: 'The stage of the dispute: RETRIEVAL, DISPUTE, CHARGEBACK, PRE_ARBITRATION or ARBITRATION.',
      status: 'The payment gateway’s status for the dispute.',
    }),
    ...expose(t, 'String', {
      cfPaymentId: 'The payment gateway’s ID for the disputed payment; null if it is unknown.',
      orderId: 'The ID of the order that the disputed payment was for; null if it is unknown.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The disputed amount; null if it is unknown.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    ...expose(t, 'String', {
      reasonCode: 'The bank’s reason code; null if none was given.',
      reason: 'The reason for the dispute, as text; null if none was given.',
    }),
    ...expose(t, 'DateTime', {
      respondBy: 'The deadline for the merchant’s response; null if none was given.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the dispute was first recorded.' }),
  }),
});

pageQuery('gatewayDisputes', {
  type: connectionType('GatewayDispute', GatewayDisputeRef),
  description: 'The disputes about payments to the viewer’s workspace.',
  args: arg => ({
    paymentId: arg.string({ description: 'Filters by the payment gateway’s ID for the payment.' }),
  }),
  page: (context, page, { paymentId }) => gatewayDisputesPage(context, page, paymentId),
});
