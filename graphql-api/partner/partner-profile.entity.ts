import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const PartnerProfileSchema = defineEntity({
  name: 'PartnerProfile',
  tableName: 'partner_profiles',
  properties: {
    organizationId: p.uuid().primary(),
    partnerStatus: p.text().$type<'USER' | 'AFFILIATE' | 'AGENCY'>().default('USER'),
    region: p.text().default('INDIA'),
    createdAt: createdAt(),
  },
});

/**
 * The partner status and region of an organization. Without a row, it is a USER in the default
 * region.
 */
export class PartnerProfile extends PartnerProfileSchema.class {}
PartnerProfileSchema.setClass(PartnerProfile);
