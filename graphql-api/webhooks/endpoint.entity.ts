import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';

export const WebhookEndpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    url: p.text(),
    description: p.text().default(''),
    eventTypes: textArray(),
    state: p.text().$type<'ENABLED' | 'DISABLED' | 'AUTO_DISABLED'>().default('ENABLED'),
    disabledReason: p.text().$type<'BY_OPERATOR' | 'GONE' | 'FAILING'>().nullable(),
    disabledAt: instant().nullable(),
    failingSince: instant().nullable(),
    lastSuccessAt: instant().nullable(),
    version: p.integer().default(1),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A URL that a workspace's outbound events are sent to. Its secrets are in webhook_secrets. */
export class WebhookEndpoint extends WebhookEndpointSchema.class {}
WebhookEndpointSchema.setClass(WebhookEndpoint);
