import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { DealStatus } from './agency.contract.ts';

export const AgencyDealSchema = defineEntity({
  name: 'AgencyDeal',
  tableName: 'agency_deals',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    prospectCompanyName: p.text(),
    prospectDomain: p.text(),
    prospectContactEmail: p.text(),
    currency: p.text(),
    estimatedValueMinor: p.bigint(),
    actualValueMinor: p.bigint().nullable(),
    notes: p.text().default(''),
    status: p.text().$type<DealStatus>().default('REGISTERED'),
    statusReason: p.text().nullable(),
    isExclusive: p.boolean().default(true),
    proofDueAt: instant(),
    lockedUntil: instant(),
    closedAt: instant().nullable(),
    createdBy: p.text(),
    createdAt: instant(),
  },
});

/** A prospect that an agency registered. */
export class AgencyDeal extends AgencyDealSchema.class {}
AgencyDealSchema.setClass(AgencyDeal);
