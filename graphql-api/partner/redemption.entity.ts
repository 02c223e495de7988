import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const RedemptionSchema = defineEntity({
  name: 'Redemption',
  tableName: 'redemptions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    walletId: p.uuid(),
    invoiceId: p.text(),
    invoiceTotalMinor: p.bigint(),
    amountMinor: p.bigint(),
    currency: p.text(),
    status: p.text().$type<'RESERVED' | 'CAPTURED' | 'RELEASED'>(),
    expiresAt: instant().nullable(),
    settledAt: instant().nullable(),
    createdAt: instant(),
  },
});

/** A redemption of credits on an invoice. */
export class Redemption extends RedemptionSchema.class {}
RedemptionSchema.setClass(Redemption);
