import { defineEntity, p } from '@mikro-orm/core';
import type { TagList } from '../../schema/values/exact-json.ts';
import { instant } from '../platform/database/columns.ts';
import { objectColumns } from './object-columns.ts';

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
    ...objectColumns(),
    payerOrganizationId: p.uuid().nullable(),
    orderId: p.text(),
    note: p.text().nullable(),
    amountMinor: p.bigint(),
    currency: p.text(),
    amountPaidMinor: p.bigint().default('0'),
    refundedMinor: p.bigint().default('0'),
    paymentSessionId: p.text().nullable(),
    expiresAt: instant().nullable(),
    splits: p.json<readonly OrderSplit[]>().default('[]'),
    tags: p.json<TagList>().default('[]'),
  },
});

/** An order, paid at a checkout with its session. */
export class GatewayOrder extends GatewayOrderSchema.class {}
GatewayOrderSchema.setClass(GatewayOrder);
