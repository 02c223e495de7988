import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { WebhookCause, WebhookOutcome } from './outcomes.ts';

export const WebhookAttemptSchema = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempts',
  properties: {
    deliveryId: p.uuid().primary(),
    workspaceId: p.uuid(),
    number: p.integer().primary(),
    cause: p.text().$type<WebhookCause>(),
    attemptedAt: instant(),
    outcome: p.text().$type<WebhookOutcome>(),
    status: p.integer().nullable(),
    latencyMs: p.integer(),
    reason: p.text().default(''),
    settledAt: instant().defaultRaw('now()'),
  },
});

export class WebhookAttempt extends WebhookAttemptSchema.class {}
WebhookAttemptSchema.setClass(WebhookAttempt);
