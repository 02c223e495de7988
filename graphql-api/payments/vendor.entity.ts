import { defineEntity, p } from '@mikro-orm/core';
import { objectColumns } from './object-columns.ts';

export const GatewayVendorSchema = defineEntity({
  name: 'GatewayVendor',
  tableName: 'gateway_vendors',
  properties: {
    ...objectColumns(),
    vendorId: p.text(),
    name: p.text(),
    businessType: p.text(),
    accountType: p.text(),
    receivesBy: p.text(),
    receiverMask: p.text(),
  },
});

/** A recipient of split payments. */
export class GatewayVendor extends GatewayVendorSchema.class {}
GatewayVendorSchema.setClass(GatewayVendor);
