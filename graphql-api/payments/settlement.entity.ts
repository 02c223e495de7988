import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewaySettlementSchema = defineEntity({
  name: 'GatewaySettlement',
  tableName: 'gateway_settlements',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    settlementId: p.text(),
    vendorId: p.text().default(''),
    status: p.text(),
    statusAt: instant().nullable(),
    amountMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    bankReference: p.text().nullable(),
    settledAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A settlement by the gateway to the merchant or one of its vendors. */
export class GatewaySettlement extends GatewaySettlementSchema.class {}
GatewaySettlementSchema.setClass(GatewaySettlement);
