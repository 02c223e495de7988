import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const PartnerProfileSchema = defineEntity({
  name: 'PartnerProfile',
  tableName: 'partner_profiles',
  properties: {
    organizationId: p.uuid().primary(),
    partnerStatus: p.text().$type<'USER' | 'AFFILIATE' | 'AGENCY'>().default('USER'),
    region: p.text().default('INDIA'),
    createdAt: createdAt(),
  },
});

/** What an organisation is in the partner program, once it is more than a USER of the default region. */
export class PartnerProfile extends PartnerProfileSchema.class {}
PartnerProfileSchema.setClass(PartnerProfile);
