import { z } from 'zod';

// The requests of other vendors' clients for the documentation. They are converted in
// normalise-event.ts.

const id = (description: string, example: string) =>
  z.union([z.string(), z.number()]).nullish().meta({ description, example });
const time = (description: string) => z.string().nullish().meta({ description });
const object = (description: string) =>
  z.record(z.string(), z.unknown()).nullish().meta({ description });

const members = {
  event: z.string().nullish().meta({ description: 'Event name, of a track event.' }),
  name: z.string().nullish().meta({ description: 'Name of a page or screen.' }),
  userId: id('Application user ID. A number is stored as its text.', 'user-1'),
  anonymousId: id('ID of the device. The default is `userId`.', 'device-1'),
  messageId: id(
    'Unique ID, used for deduplication. The default is a hash of the event.',
    'order-1',
  ),
  sessionId: id(
    'Session ID. The default is `context.sessionId`, otherwise `anonymousId` and the UTC day.',
    'session-1',
  ),
  timestamp: time(
    'When the event occurred. The default is `originalTimestamp`, `sentAt`, or the time of receipt.',
  ),
  properties: object('Event-specific payload.'),
  traits: object('Identity traits. The default of an identify event is `context.traits`.'),
  context: object('Page, device and campaign metadata.'),
};
const EXAMPLE = {
  event: 'Order Completed',
  userId: 'user-1',
  messageId: 'order-1',
  timestamp: '2026-11-21T09:30:00.000Z',
  properties: { total: 49.9, currency: 'EUR' },
};
const sentAt = time('When the client sent the request. The default is the time of receipt.');
const writeKey = z
  .string()
  .optional()
  .meta({ description: 'The write key, if it is not in a header.' });

export const compatibleEvent = z
  .looseObject({ ...members, sentAt, writeKey })
  .meta({ description: 'One event. Its type is that of the path.', example: EXAMPLE });

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
    description: 'Events, each with its type.',
    example: { batch: [{ type: 'track', ...EXAMPLE }], sentAt: '2026-11-21T09:30:05.000Z' },
  });

const integration = z.looseObject({ apiKey: z.string(), apiHost: z.string() });

export const segmentSettingsAnswer = z.looseObject({
  integrations: z.object({ 'Segment.io': integration }),
});

export const sourceConfigAnswer = z.object({
  source: z.looseObject({ id: z.string(), writeKey: z.string(), enabled: z.boolean() }),
});
