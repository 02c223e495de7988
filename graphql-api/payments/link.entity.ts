import { defineEntity, p } from '@mikro-orm/core';
import type { TagList } from '../../schema/values/exact-json.ts';
import { instant } from '../platform/database/columns.ts';
import { objectColumns } from './object-columns.ts';

export const GatewayLinkSchema = defineEntity({
  name: 'GatewayLink',
  tableName: 'gateway_links',
  properties: {
    ...objectColumns(),
    payerOrganizationId: p.uuid().nullable(),
    linkId: p.text(),
    purpose: p.text(),
    amountMinor: p.bigint(),
    currency: p.text(),
    amountPaidMinor: p.bigint().default('0'),
    refundedMinor: p.bigint().default('0'),
    minimumPartialMinor: p.bigint().nullable(),
    isPartialAllowed: p.boolean().default(false),
    linkUrl: p.text().nullable(),
    expiresAt: instant().nullable(),
    notes: p.json<TagList>().default('[]'),
  },
});

/** A payment link. */
export class GatewayLink extends GatewayLinkSchema.class {}
GatewayLinkSchema.setClass(GatewayLink);
