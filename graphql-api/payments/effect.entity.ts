import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const GatewayEffectSchema = defineEntity({
  name: 'GatewayEffect',
  tableName: 'gateway_effects',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    workspaceId: p.uuid().nullable(),
    eventId: p.uuid().nullable(),
    name: p.text(),
    objectKind: p.text(),
    objectId: p.text(),
    isLate: p.boolean().default(false),
    outcome: p.text().nullable(),
    occurredAt: instant(),
    createdAt: instant(),
  },
});

/** A change at the gateway, recorded once. */
export class GatewayEffect extends GatewayEffectSchema.class {}
GatewayEffectSchema.setClass(GatewayEffect);
