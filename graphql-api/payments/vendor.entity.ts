import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const GatewayVendorSchema = defineEntity({
  name: 'GatewayVendor',
  tableName: 'gateway_vendors',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    vendorId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
    name: p.text(),
    businessType: p.text(),
    accountType: p.text(),
    receivesBy: p.text(),
    receiverMask: p.text(),
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

/** A recipient of split payments. */
export class GatewayVendor extends GatewayVendorSchema.class {}
GatewayVendorSchema.setClass(GatewayVendor);
