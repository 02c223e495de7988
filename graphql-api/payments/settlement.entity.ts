import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const GatewaySettlementSchema = defineEntity({
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

/** What the gateway pays out to the merchant, or to a vendor of theirs. */
export class GatewaySettlement extends GatewaySettlementSchema.class {}
GatewaySettlementSchema.setClass(GatewaySettlement);
