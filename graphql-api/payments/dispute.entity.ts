import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewayDisputeSchema = defineEntity({
  name: 'GatewayDispute',
  tableName: 'gateway_disputes',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    disputeId: p.text(),
    type: p.text(),
    status: p.text(),
    statusAt: instant().nullable(),
    cfPaymentId: p.text().nullable(),
    orderId: p.text().nullable(),
    amountMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    reasonCode: p.text().nullable(),
    reason: p.text().nullable(),
    respondBy: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A payment disputed by the payer's bank. */
export class GatewayDispute extends GatewayDisputeSchema.class {}
GatewayDisputeSchema.setClass(GatewayDispute);
