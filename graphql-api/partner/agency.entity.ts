import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const AgencyProfileSchema = defineEntity({
  name: 'AgencyProfile',
  tableName: 'agency_profiles',
  properties: {
    organizationId: p.uuid().primary(),
    domain: p.text().nullable(),
    agreementSignedAt: instant().nullable(),
    agreementReference: p.text().nullable(),
    appointedBy: p.text(),
    createdAt: instant(),
  },
});

/** An agency and its reseller agreement, as recorded by a platform admin. */
export class AgencyProfile extends AgencyProfileSchema.class {}
AgencyProfileSchema.setClass(AgencyProfile);
