import { defineEntity, p } from '@mikro-orm/core';
import { objectColumns } from './object-columns.ts';

export const GatewayRefundSchema = defineEntity({
  name: 'GatewayRefund',
  tableName: 'gateway_refunds',
  properties: {
    ...objectColumns(),
    payerOrganizationId: p.uuid().nullable(),
    refundId: p.text(),
    cfPaymentId: p.text().nullable(),
    orderId: p.text().nullable(),
    subscriptionId: p.text().nullable(),
    amountMinor: p.bigint(),
    currency: p.text(),
    speed: p.text().nullable(),
    processedSpeed: p.text().nullable(),
    note: p.text().nullable(),
    arn: p.text().nullable(),
  },
});

/** A full or partial refund of a payment. */
export class GatewayRefund extends GatewayRefundSchema.class {}
GatewayRefundSchema.setClass(GatewayRefund);
