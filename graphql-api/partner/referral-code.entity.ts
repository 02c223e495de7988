import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const ReferralCodeSchema = defineEntity({
  name: 'ReferralCode',
  tableName: 'referral_codes',
  properties: {
    code: p.text().primary(),
    organizationId: p.uuid(),
    createdAt: createdAt(),
  },
});

/** The one code by which an organisation refers others. */
export class ReferralCode extends ReferralCodeSchema.class {}
ReferralCodeSchema.setClass(ReferralCode);
