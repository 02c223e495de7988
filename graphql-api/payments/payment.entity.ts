import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { PaymentKind } from './facts/facts.ts';

export const GatewayPaymentSchema = defineEntity({
  name: 'GatewayPayment',
  tableName: 'gateway_payments',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    cfPaymentId: p.text(),
    kind: p.text().$type<PaymentKind>(),
    status: p.text(),
    statusAt: instant().nullable(),
    retryAttempts: p.integer().default('0'),
    amountMinor: p.bigint(),
    currency: p.text(),
    orderId: p.text().nullable(),
    linkId: p.text().nullable(),
    subscriptionId: p.text().nullable(),
    method: p.text().nullable(),
    failure: p.text().nullable(),
    paidAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A payment attempt. */
export class GatewayPayment extends GatewayPaymentSchema.class {}
GatewayPaymentSchema.setClass(GatewayPayment);
