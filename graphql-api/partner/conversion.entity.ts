import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const ConversionSchema = defineEntity({
  name: 'Conversion',
  tableName: 'conversions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    walletId: p.uuid(),
    amountMinor: p.bigint(),
    currency: p.text(),
    eligibleAt: instant(),
    createdAt: instant(),
  },
});

/** A conversion of credits to cash. */
export class Conversion extends ConversionSchema.class {}
ConversionSchema.setClass(Conversion);
