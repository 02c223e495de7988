import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { gatewaySettlementsPage } from './money.reads.ts';
import type { GatewaySettlement } from './settlement.entity.ts';

const GatewaySettlementRef = builder.objectRef<GatewaySettlement>('GatewaySettlement').implement({
  description: 'What the payment gateway pays out to the merchant, or to a vendor of theirs.',
  authScopes: { member: true },
  fields: t => ({
    settlementId: t.exposeString('settlementId', {
      nullable: false,
      description: 'The gateway’s id of it.',
    }),
    vendorId: t.string({
      description: 'Who is paid; null for the merchant.',
      resolve: ({ vendorId }) => vendorId || null,
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'INITIATED, SUCCESS, FAILED, or REVERSED: the bank sent it back.',
    }),
    amount: t.field({
      type: MoneyRef,
      description: 'What is paid out.',
      resolve: ({ amountMinor, currency }) =>
        amountMinor == null || currency == null ? null : { amountMinor, currencyCode: currency },
    }),
    bankReference: t.exposeString('bankReference', { description: 'The bank’s number of it.' }),
    settledAt: t.expose('settledAt', { type: 'DateTime', description: 'When it was paid out.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When we learned of it.',
    }),
  }),
});

const GatewaySettlementConnection = connectionType('GatewaySettlement', GatewaySettlementRef);

builder.queryField('gatewaySettlements', t =>
  t.field({
    type: GatewaySettlementConnection,
    nullable: false,
    description: 'What was paid out to the viewer’s workspace and its vendors.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await gatewaySettlementsPage(context, page), page),
  }),
);
