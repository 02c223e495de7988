import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewayRefundSchema = defineEntity({
  name: 'GatewayRefund',
  tableName: 'gateway_refunds',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    refundId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
    cfPaymentId: p.text().nullable(),
    orderId: p.text().nullable(),
    subscriptionId: p.text().nullable(),
    amountMinor: p.bigint(),
    currency: p.text(),
    speed: p.text().nullable(),
    processedSpeed: p.text().nullable(),
    note: p.text().nullable(),
    arn: p.text().nullable(),
    requestHash: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    checkedAt: instant().nullable(),
    createdBy: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A full or partial refund of a payment. */
export class GatewayRefund extends GatewayRefundSchema.class {}
GatewayRefundSchema.setClass(GatewayRefund);
