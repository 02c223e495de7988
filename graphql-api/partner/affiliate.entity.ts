import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const AffiliateProfileSchema = defineEntity({
  name: 'AffiliateProfile',
  tableName: 'affiliate_profiles',
  properties: {
    organizationId: p.uuid().primary(),
    kycStatus: p
      .text()
      .$type<'KYC_PENDING' | 'KYC_APPROVED' | 'KYC_REJECTED'>()
      .default('KYC_PENDING'),
    hasPanVerified: p.boolean().default(false),
    hasGst: p.boolean().default(false),
    createdAt: createdAt(),
  },
});

/** The KYC state of an affiliate, and the flags that determine the tax on payouts. */
export class AffiliateProfile extends AffiliateProfileSchema.class {}
AffiliateProfileSchema.setClass(AffiliateProfile);
