import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';
import type { WebhookCause, WebhookOutcome } from './outcomes.ts';

export const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    endpointId: p.uuid(),
    eventId: p.uuid(),
    eventType: p.text(),
    isTest: p.boolean().default(false),
    state: p.text().$type<'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED'>().default('PENDING'),
    cause: p.text().$type<WebhookCause>().default('SCHEDULED'),
    attempts: p.integer().default(0),
    step: p.integer().default(0),
    nextAttemptAt: instant().nullable(),
    claimedUntil: instant().nullable(),
    lastStatus: p.integer().nullable(),
    lastOutcome: p.text().$type<WebhookOutcome>().nullable(),
    lastLatencyMs: p.integer().nullable(),
    createdAt: createdAt(),
    finishedAt: instant().nullable(),
  },
});

/** The delivery of one outbound event to one webhook endpoint. */
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);
