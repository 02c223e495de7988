import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

const AgencyProfileSchema = defineEntity({
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

/** What a platform admin recorded of an agency. */
export class AgencyProfile extends AgencyProfileSchema.class {}
AgencyProfileSchema.setClass(AgencyProfile);
