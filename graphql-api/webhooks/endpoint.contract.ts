// The contracts of webhook endpoints and replays.

import { z } from 'zod';
import { text } from '../../schema/values/text.ts';
import { outboxRowsContract } from '../platform/operations.contract.ts';
import { overlap } from '../platform/whole-number.contract.ts';
import { WEBHOOK_URL_LENGTH_MAX } from './dispatch/url.ts';
import { isKnownChoice } from './event-types.ts';

const DESCRIPTION_CHARACTERS_MAX = 500;
/** Above the number of types and families. */
const CHOICES_MAX = 100;
/** Time to deploy the new secret to every receiver of the endpoint. */
const OVERLAP_SECONDS_DEFAULT = 24 * 3600;
/** Bounds how long a leaked secret keeps signing. */
const OVERLAP_SECONDS_MAX = 30 * 24 * 3600;

/** The contract checks the format only; `resolve-host.ts` checks the addresses. */
const url = z
  .string({ error: 'must be a string.' })
  .min(1, { error: 'must not be empty.' })
  .max(WEBHOOK_URL_LENGTH_MAX, {
    error: `must have at most ${WEBHOOK_URL_LENGTH_MAX} characters.`,
  });

const eventTypes = z
  .array(
    z.string().refine(isKnownChoice, {
      error: 'must be an event type or a family such as payment.*; see webhookEventTypes.',
    }),
  )
  .max(CHOICES_MAX, { error: `must have at most ${CHOICES_MAX} entries.` })
  .transform(choices => [...new Set(choices)]);

const description = text(DESCRIPTION_CHARACTERS_MAX);

export const webhookEndpointCreateContract = z.strictObject({
  url,
  description: description.nullish(),
  eventTypes: eventTypes.nullish(),
});
export type WebhookEndpointCreate = z.output<typeof webhookEndpointCreateContract>;

/** Omitted fields are unchanged; null clears a field. */
export const webhookEndpointUpdateContract = z.strictObject({
  id: z.uuid(),
  version: z.int().min(1),
  url: url.optional(),
  description: description.nullish(),
  eventTypes: eventTypes.nullish(),
});
export type WebhookEndpointUpdate = z.output<typeof webhookEndpointUpdateContract>;

export const webhookEndpointIdContract = z.strictObject({ id: z.uuid() });
export type WebhookEndpointId = z.output<typeof webhookEndpointIdContract>;

export const webhookSecretRotateContract = z.strictObject({
  id: z.uuid(),
  overlapSeconds: overlap(OVERLAP_SECONDS_MAX, OVERLAP_SECONDS_DEFAULT),
});
export type WebhookSecretRotate = z.output<typeof webhookSecretRotateContract>;

/** The shared limit for lists of selected rows. */
export const webhookDeliveriesReplayContract = outboxRowsContract;
export type WebhookDeliveriesReplay = z.output<typeof webhookDeliveriesReplayContract>;

export const webhookEndpointReplayContract = z.strictObject({
  id: z.uuid(),
  /** The earliest creation time of a delivery. */
  since: z.date().nullish(),
  /** Exclusive. */
  until: z.date().nullish(),
  includeDelivered: z.boolean().default(false),
  /** Only deliveries that wait for their next attempt. */
  pendingOnly: z.boolean().default(false),
});
export type WebhookEndpointReplay = z.output<typeof webhookEndpointReplayContract>;
