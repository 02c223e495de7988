import { z } from 'zod';

// The requests of PostHog's clients for the documentation. They are converted in
// translate-event.ts.

const object = (description: string) =>
  z.record(z.string(), z.unknown()).nullish().meta({ description });

const event = {
  event: z.string().meta({
    description:
      '`$pageview` becomes a page event, `$screen` screen, `$identify` and `$set` identify, `$groupidentify` group, `$create_alias` alias. Any other name becomes a track event of this name.',
    example: 'Order Completed',
  }),
  distinct_id: z.union([z.string(), z.number()]).nullish().meta({
    description:
      'The user ID or, without one, the ID of the device. The default is `distinct_id` of `properties`.',
    example: 'user-1',
  }),
  uuid: z.string().nullish().meta({
    description: 'Unique ID, used for deduplication. The default is a hash of the event.',
  }),
  timestamp: z.string().nullish().meta({
    description: 'When the event occurred. The default is `sent_at` or the time of receipt.',
  }),
  properties: object('Event-specific payload, with IDs and metadata.'),
  $set: object('Identity traits.'),
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
      .meta({ description: 'The events. If it is missing, the body is a single event.' }),
    sent_at: z.string().nullish().meta({
      description: 'When the client sent the request. The default is the time of receipt.',
    }),
  })
  .meta({
    description: 'Events. An array of events, or one event, is also accepted.',
    example: { batch: [EXAMPLE], sent_at: '2026-11-21T09:30:05.000Z' },
  });

export const posthogFlagsBody = z
  .looseObject({
    api_key,
    distinct_id: z.string().optional().meta({ description: 'Ignored.' }),
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
