import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { gatewaySettlements } from './object.reads.ts';
import type { GatewaySettlement } from './settlement.entity.ts';

const GatewaySettlementRef = memberObject<GatewaySettlement>('GatewaySettlement', {
  description:
    'A transfer of collected payments from the payment gateway to the merchant or to one of its vendors.',
  fields: t => ({
    ...expose(t, 'String!', { settlementId: 'The payment gateway’s ID for the settlement.' }),
    vendorId: t.string({
      description:
        'The ID of the vendor that receives the settlement; null if the merchant receives it.',
      resolve: ({ vendorId }) => vendorId || null,
    }),
    ...expose(t, 'String!', {
      status:
        'The status: INITIATED, SUCCESS, FAILED, or REVERSED if the bank returned the amount.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The settled amount; null if it is unknown.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    ...expose(t, 'String', {
      bankReference: 'The bank’s reference number (UTR); null if it is unknown.',
    }),
    ...expose(t, 'DateTime', {
      settledAt: 'When the amount was settled; null if it has not been settled.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the settlement was first recorded.' }),
  }),
});

pageQuery('gatewaySettlements', {
  type: connectionType('GatewaySettlement', GatewaySettlementRef),
  description: 'The settlements to the viewer’s workspace and its vendors.',
  page: gatewaySettlements.page,
});
