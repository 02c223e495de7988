import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const PayoutSchema = defineEntity({
  name: 'Payout',
  tableName: 'payouts',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    walletId: p.uuid(),
    grossMinor: p.bigint(),
    taxRateBps: p.integer(),
    taxMinor: p.bigint(),
    netMinor: p.bigint(),
    currency: p.text(),
    status: p
      .text()
      .$type<'REQUESTED' | 'PROCESSING' | 'PAID' | 'REJECTED' | 'FAILED' | 'REVERSED'>()
      .default('REQUESTED'),
    bankReference: p.text().nullable(),
    reason: p.text().nullable(),
    processingAt: instant().nullable(),
    paidAt: instant().nullable(),
    closedAt: instant().nullable(),
    createdAt: instant(),
  },
});

/** A payout requested by a partner. */
export class Payout extends PayoutSchema.class {}
PayoutSchema.setClass(Payout);
