import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { TagList } from '../platform/exact-json.ts';

/** A vendor's part of an order, as an amount or a percentage. */
export type OrderSplit = {
  readonly vendorId: string;
  readonly amountMinor?: string;
  readonly percentage?: string;
};

export const GatewayOrderSchema = defineEntity({
  name: 'GatewayOrder',
  tableName: 'gateway_orders',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    orderId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
    note: p.text().nullable(),
    amountMinor: p.bigint(),
    currency: p.text(),
    amountPaidMinor: p.bigint().default('0'),
    refundedMinor: p.bigint().default('0'),
    paymentSessionId: p.text().nullable(),
    expiresAt: instant().nullable(),
    splits: p.json<readonly OrderSplit[]>().default('[]'),
    tags: p.json<TagList>().default('[]'),
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

/** An order, paid at a checkout with its session. */
export class GatewayOrder extends GatewayOrderSchema.class {}
GatewayOrderSchema.setClass(GatewayOrder);
