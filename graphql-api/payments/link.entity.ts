import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { TagList } from '../platform/exact-json.ts';

export const GatewayLinkSchema = defineEntity({
  name: 'GatewayLink',
  tableName: 'gateway_links',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    payerOrganizationId: p.uuid().nullable(),
    linkId: p.text(),
    cfId: p.text().nullable(),
    status: p.text().default('CREATING'),
    statusAt: instant().nullable(),
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
    requestHash: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
    errorCode: p.text().nullable(),
    errorMessage: p.text().nullable(),
    checkedAt: instant().nullable(),
    createdBy: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A payment link. */
export class GatewayLink extends GatewayLinkSchema.class {}
GatewayLinkSchema.setClass(GatewayLink);
