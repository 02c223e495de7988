import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const OutboundEventSchema = defineEntity({
  name: 'OutboundEvent',
  tableName: 'outbound_events',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    type: p.text(),
    payload: p.json<Record<string, unknown>>(),
    occurredAt: instant(),
    createdAt: createdAt(),
    fannedOutAt: instant().nullable(),
  },
});

/** What a workspace's webhook endpoints are to be told. */
export class OutboundEvent extends OutboundEventSchema.class {}
OutboundEventSchema.setClass(OutboundEvent);
