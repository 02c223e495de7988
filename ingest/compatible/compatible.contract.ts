import { z } from 'zod';

// The requests of other vendors' clients for the documentation. They are converted in
// normalise-event.ts.

const id = (description: string, example: string) =>
  z.union([z.string(), z.number()]).nullish().meta({ description, example });
const time = (description: string) => z.string().nullish().meta({ description });
const object = (description: string) =>
  z.record(z.string(), z.unknown()).nullish().meta({ description });

const members = {
  event: z.string().nullish().meta({ description: 'The event name, for a track event.' }),
  name: z.string().nullish().meta({ description: 'The name of the page or screen.' }),
  userId: id('The application’s user ID. A number is stored as text.', 'user-1'),
  anonymousId: id('The anonymous ID of the device. Defaults to `userId`.', 'device-1'),
  messageId: id('A unique ID, used for deduplication. Defaults to a hash of the event.', 'order-1'),
  sessionId: id(
    'The session ID. Defaults to `context.sessionId` or, if that is missing, to `anonymousId` combined with the UTC day.',
    'session-1',
  ),
  timestamp: time(
    'When the event occurred. Defaults to `originalTimestamp`, `sentAt` or the time of receipt.',
  ),
  properties: object('The properties of the event.'),
  traits: object(
    'The traits of the person or group. For an identify event, defaults to `context.traits`.',
  ),
  context: object('Metadata about the page, device and campaign.'),
};
const EXAMPLE = {
  event: 'Order Completed',
  userId: 'user-1',
  messageId: 'order-1',
  timestamp: '2026-11-21T09:30:00.000Z',
  properties: { total: 49.9, currency: 'EUR' },
};
const sentAt = time('When the client sent the request. Defaults to the time of receipt.');
const writeKey = z
  .string()
  .optional()
  .meta({ description: 'The write key, if it is not in a header.' });

export const compatibleEvent = z
  .looseObject({ ...members, sentAt, writeKey })
  .meta({ description: 'One event. The path determines its type.', example: EXAMPLE });

export const compatibleBatchBody = z
  .looseObject({
    batch: z
      .array(z.looseObject({ type: z.string(), ...members }))
      .min(1)
      .meta({ description: 'The events.' }),
    sentAt,
    writeKey,
  })
  .meta({
    description: 'A list of events, each with its own type.',
    example: { batch: [{ type: 'track', ...EXAMPLE }], sentAt: '2026-11-21T09:30:05.000Z' },
  });

const integration = z.looseObject({ apiKey: z.string(), apiHost: z.string() });

export const segmentSettingsAnswer = z.looseObject({
  integrations: z.object({ 'Segment.io': integration }),
});

export const sourceConfigAnswer = z.object({
  source: z.looseObject({ id: z.string(), writeKey: z.string(), enabled: z.boolean() }),
});
