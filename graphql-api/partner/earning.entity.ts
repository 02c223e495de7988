import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const EarningSchema = defineEntity({
  name: 'Earning',
  tableName: 'earnings',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    walletId: p.uuid(),
    refereeOrganizationId: p.uuid(),
    paymentId: p.text(),
    kind: p.text().$type<'CREDIT' | 'COMMISSION'>(),
    amountMinor: p.bigint(),
    currency: p.text(),
    rateBps: p.integer(),
    clawedMinor: p.bigint().default('0'),
    releaseOn: p.date().nullable(),
    releasedAt: instant().nullable(),
    eligibleAt: instant().nullable(),
    status: p.text().$type<'PENDING' | 'AVAILABLE' | 'VOIDED' | 'CLAWED_BACK'>(),
    createdAt: instant(),
  },
});

/** The reward that the payer’s referrer earned with a payment. The database derives the status. */
export class Earning extends EarningSchema.class {}
EarningSchema.setClass(Earning);
