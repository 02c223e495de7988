import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    /** The organization's own limit. The view `ingress_limits` contains the effective one. */
    ingressEventsPerMinute: p.integer().nullable(),
    createdAt: createdAt(),
    closedAt: instant().nullable(),
    /** When the data of its people is erased; null while the organization is open. */
    eraseAt: instant().nullable(),
    erasedAt: instant().nullable(),
  },
});

/** A tenant. An organization owns workspaces and is billed as a whole. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
