import { z } from 'zod';
import { optionalText } from '../../schema/values/text.ts';
import {
  LEGACY_PUSH_EVENT_TYPES,
  normalisePushEvent,
  PUSH_EVENT_TYPES,
} from './normalise-push-event.ts';

/** Spec, Push engagement body: POST /v1/push/engagement. */
export const pushEngagementBody = z
  .looseObject({
    event_type: z
      .enum([...PUSH_EVENT_TYPES, ...LEGACY_PUSH_EVENT_TYPES])
      .meta({
        description:
          'The type of engagement. Earlier SDKs send these names without the prefix `push.`; such names are also accepted.',
        example: 'push.clicked',
      })
      .transform(normalisePushEvent),
    platform: z
      .enum(['web', 'ios', 'android'])
      .meta({ description: 'The platform of the device.', example: 'ios' }),
    property_id: optionalText().meta({
      description:
        'The ID of the app’s property. Required if X-Property-Id is not sent. The ID of a property in another workspace is refused with 403.',
      example: '01980000-0000-7000-8000-000000000000',
    }),
    campaign_id: optionalText().meta({
      description:
        'The ID of the campaign; empty if the SDK does not know it, for example for a transactional push.',
      example: 'campaign-1',
    }),
    message_id: optionalText().meta({
      description:
        'The ID of the message. All events with the same message and person belong to the same delivery, regardless of their order. Without a message_id, each event is recorded as a separate delivery.',
      example: 'message-1',
    }),
    user_id: optionalText().meta({
      description: 'The application’s user ID. Defaults to contact_id.',
      example: 'user-1',
    }),
    contact_id: optionalText().meta({
      description: 'The contact ID, if the person is identified.',
      example: 'contact-1',
    }),
    anonymous_id: optionalText().meta({
      description: 'The anonymous ID that the SDK generated.',
      example: 'device-1',
    }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({
        description:
          'Additional data, for example action_url, action_id or button_id. Limits: 5 levels of nesting, 256 characters per key, 10 KB per value.',
        example: { action_id: 'open' },
      }),
    workspace_id: optionalText().meta({
      description: 'The ID of the write key’s workspace. Any other ID is refused with 403.',
    }),
  })
  .meta({
    description:
      'An engagement with a push notification, or a change to the push permission or subscription.',
    example: {
      event_type: 'push.clicked',
      platform: 'ios',
      property_id: '01980000-0000-7000-8000-000000000000',
      campaign_id: 'campaign-1',
      message_id: 'message-1',
      user_id: 'user-1',
      contact_id: 'contact-1',
      metadata: { action_id: 'open' },
    },
  });

export type PushEngagementBody = z.output<typeof pushEngagementBody>;
