import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** Set for it alone; which limit holds is said by the view ingress_limits. */
    ingressEventsPerMinute: p.integer().nullable(),
    createdAt: createdAt(),
  },
});

/** A tenant: all that is paid for and seen together. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
