import type { Generated } from 'kysely';
import type { TablesOf } from '../platform/database/kysely.ts';
import { WebhookAttemptSchema } from './attempt.entity.ts';
import { WebhookDeliverySchema } from './delivery.entity.ts';
import { WebhookEndpointSchema } from './endpoint.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const WEBHOOKS_ENTITIES = [
  WebhookAttemptSchema,
  WebhookDeliverySchema,
  WebhookEndpointSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof WEBHOOKS_ENTITIES> {
    webhook_secrets: {
      endpointId: string;
      workspaceId: string;
      generation: 'CURRENT' | 'PREVIOUS';
      keyId: string;
      sealed: string;
      createdAt: Date;
      /** When a previous secret stops signing. */
      expiresAt: Date | null;
    };
    outbound_events: {
      id: string;
      workspaceId: string;
      type: string;
      payload: Readonly<Record<string, unknown>>;
      occurredAt: Date;
      createdAt: Generated<Date>;
      /** When its deliveries were created. */
      fannedOutAt: Date | null;
      /** The ID of the request or job that caused the event. */
      requestId: string | null;
    };
  }
}
