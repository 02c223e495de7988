import { z } from 'zod';
import { conditionalSchema } from './conditional-schema.ts';

// The contract of /v1/batch for the documentation. Ingest parses batches with its own parser
// (ingest/accept), which accepts the same bodies; a test compares the two.

const BATCH_EVENTS_MAX = 100;
const text = (description: string, example?: string) =>
  z
    .string()
    .max(512)
    .meta({ description, ...(example === undefined ? {} : { example }) });
const object = (description: string) => z.record(z.string(), z.unknown()).meta({ description });
const instant = (description: string, example: string) =>
  z.string().meta({ description, format: 'date-time', example });

/** Spec, Event record. Members that are not listed are stored in `extra`. */
const eventRecord = z
  .looseObject({
    type: z
      .enum(['track', 'identify', 'page', 'screen', 'group', 'alias'])
      .meta({ description: 'The event type.' }),
    event: text('The event name. Required if `type` is `track`.', 'Order Completed').nullish(),
    name: text('The name of the page or screen, if `type` is `page` or `screen`.').nullish(),
    messageId: text('The unique ID that the SDK generated, used for deduplication.', 'order-1').min(
      1,
    ),
    timestamp: instant(
      'When the event occurred, according to the SDK’s clock.',
      '2026-11-21T09:30:00.000Z',
    ),
    anonymousId: text('The anonymous ID that the SDK generated.', 'device-1').min(1),
    userId: text('The application’s user ID, if the person is identified.', 'user-1').nullish(),
    sessionId: text('The ID that the SDK generated for the session.', 'session-1').min(1),
    properties: object('The properties of the event.').nullish(),
    traits: object(
      'The traits of the person or group, if `type` is `identify` or `group`.',
    ).nullish(),
    context: object('Metadata about the page, device and campaign.').nullish(),
  })
  .meta({
    description: 'An event.',
    ...conditionalSchema(
      { properties: { type: { const: 'track' } } },
      { required: ['event'], properties: { event: { type: 'string', minLength: 1 } } },
    ),
  });

/** Spec, Batch request. */
export const batchBody = z
  .looseObject({
    batch: z
      .array(eventRecord)
      .min(1)
      .max(BATCH_EVENTS_MAX)
      .meta({ description: '1 to 100 events. The recommended size is 50 to 100.' }),
    sentAt: instant('When the SDK sent the batch.', '2026-11-21T09:30:05.000Z'),
    writeKey: z.string().min(1).meta({ description: 'The SDK write key of the workspace.' }),
    context: object(
      'Metadata that the SDK adds about the transport, such as the region and the endpoint.',
    ).nullish(),
  })
  .meta({
    description: 'A batch of events.',
    example: {
      writeKey: '<SDK_WRITE_KEY>',
      sentAt: '2026-11-21T09:30:05.000Z',
      batch: [
        {
          type: 'track',
          event: 'Order Completed',
          messageId: 'order-1',
          timestamp: '2026-11-21T09:30:00.000Z',
          anonymousId: 'device-1',
          userId: 'user-1',
          sessionId: 'session-1',
          properties: { total: 49.9, currency: 'EUR' },
        },
      ],
    },
  });
