import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { gatewaySettlements } from './object.reads.ts';
import type { GatewaySettlement } from './settlement.entity.ts';

const GatewaySettlementRef = builder.objectRef<GatewaySettlement>('GatewaySettlement').implement({
  description: 'A settlement by the payment gateway to the merchant or one of its vendors.',
  authScopes: { member: true },
  fields: t => ({
    settlementId: t.exposeString('settlementId', {
      nullable: false,
      description: 'The payment gateway’s ID of the settlement.',
    }),
    vendorId: t.string({
      description: 'The vendor that is paid; null for the merchant.',
      resolve: ({ vendorId }) => vendorId || null,
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'INITIATED, SUCCESS, FAILED, or REVERSED if the bank returned it.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'The amount; null if it is unknown.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    bankReference: t.exposeString('bankReference', {
      description: 'The bank’s reference (UTR); null if it is unknown.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      description: 'When it was settled; null if it was not.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was first recorded.',
    }),
  }),
});

pageQuery('gatewaySettlements', {
  type: connectionType('GatewaySettlement', GatewaySettlementRef),
  description: 'The settlements to the viewer’s workspace and its vendors.',
  page: gatewaySettlements.page,
});
