import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const RefereeRelationSchema = defineEntity({
  name: 'RefereeRelation',
  tableName: 'referee_relations',
  properties: {
    /** The ID that the API exposes. */
    id: p.uuid(),
    refereeOrganizationId: p.uuid().primary(),
    referrerOrganizationId: p.uuid(),
    code: p.text(),
    firstPaymentId: p.text().nullable(),
    firstPaidAt: instant().nullable(),
    /** The first payment in the currency of the referrer's program. */
    firstCountedPaymentId: p.text().nullable(),
    firstCountedPaidAt: instant().nullable(),
    livePayments: p.integer().default(0),
    createdAt: createdAt(),
  },
});

/** The referrer of an organization. A referral with live payments is active. */
export class RefereeRelation extends RefereeRelationSchema.class {}
RefereeRelationSchema.setClass(RefereeRelation);
