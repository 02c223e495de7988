import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const RefereeRelationSchema = defineEntity({
  name: 'RefereeRelation',
  tableName: 'referee_relations',
  properties: {
    /** What clients know it by. */
    id: p.uuid(),
    refereeOrganizationId: p.uuid().primary(),
    referrerOrganizationId: p.uuid(),
    code: p.text(),
    firstPaymentId: p.text().nullable(),
    firstPaidAt: instant().nullable(),
    /** In the currency of the referrer's program. */
    firstCountedPaymentId: p.text().nullable(),
    firstCountedPaidAt: instant().nullable(),
    livePayments: p.integer().default(0),
    createdAt: createdAt(),
  },
});

/** Who referred an organisation; an active referral has live payments. */
export class RefereeRelation extends RefereeRelationSchema.class {}
RefereeRelationSchema.setClass(RefereeRelation);
