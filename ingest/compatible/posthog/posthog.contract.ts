import { z } from 'zod';

// The requests of PostHog's clients for the documentation. They are converted in
// translate-event.ts.

const object = (description: string) =>
  z.record(z.string(), z.unknown()).nullish().meta({ description });

const event = {
  event: z.string().meta({
    description:
      'The event name. `$pageview` becomes a page event, `$screen` a screen event, `$identify` and `$set` an identify event, `$groupidentify` a group event and `$create_alias` an alias event. Any other name becomes a track event with that name.',
    example: 'Order Completed',
  }),
  distinct_id: z.union([z.string(), z.number()]).nullish().meta({
    description:
      'The user ID or, if there is none, the device ID. Defaults to `distinct_id` in `properties`.',
    example: 'user-1',
  }),
  uuid: z.string().nullish().meta({
    description: 'A unique ID, used for deduplication. Defaults to a hash of the event.',
  }),
  timestamp: z.string().nullish().meta({
    description: 'When the event occurred. Defaults to `sent_at` or the time of receipt.',
  }),
  properties: object('The properties of the event, with IDs and metadata.'),
  $set: object('The traits of the person.'),
};
const EXAMPLE = {
  event: 'Order Completed',
  distinct_id: 'user-1',
  uuid: '01a209b3-ca94-7c7c-8c25-e3a92d7393d3',
  timestamp: '2026-11-21T09:30:00.000Z',
  properties: { total: 49.9, currency: 'EUR' },
};
const api_key = z.string().optional().meta({
  description: 'The write key. Also accepted as `token`, here or in `properties`, or in a header.',
});

export const posthogEvents = z
  .looseObject({
    api_key,
    batch: z
      .array(z.looseObject(event))
      .min(1)
      .meta({ description: 'The events. If omitted, the body is a single event.' }),
    sent_at: z.string().nullish().meta({
      description: 'When the client sent the request. Defaults to the time of receipt.',
    }),
  })
  .meta({
    description: 'A batch of events. A plain array of events or a single event is also accepted.',
    example: { batch: [EXAMPLE], sent_at: '2026-11-21T09:30:05.000Z' },
  });

export const posthogFlagsBody = z
  .looseObject({
    api_key,
    distinct_id: z
      .string()
      .optional()
      .meta({ description: 'The ID of the person. It is ignored.' }),
  })
  .meta({
    description: 'The person for whom flags are requested.',
    example: { distinct_id: 'user-1' },
  });

export const posthogFlagsAnswer = z.looseObject({
  flags: z.object({}),
  featureFlags: z.object({}),
  featureFlagPayloads: z.object({}),
  errorsWhileComputingFlags: z.literal(false),
});

export const posthogConfigAnswer = z.looseObject({
  token: z.string(),
  supportedCompression: z.array(z.string()),
  hasFeatureFlags: z.literal(false),
  sessionRecording: z.literal(false),
});
