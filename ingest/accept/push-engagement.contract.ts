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
          'What happened. The bare names of earlier SDKs count as the push.* event of that name.',
        example: 'push.clicked',
      })
      .transform(normalisePushEvent),
    platform: z
      .enum(['web', 'ios', 'android'])
      .meta({ description: 'Where it happened.', example: 'ios' }),
    property_id: optionalText().meta({
      description:
        'The property that the SDK install belongs to. Required, unless X-Property-Id names it; another workspace’s is 403.',
      example: '01980000-0000-7000-8000-000000000000',
    }),
    campaign_id: optionalText().meta({
      description: 'Empty when the SDK cannot resolve it, e.g. for a transactional push.',
      example: 'campaign-1',
    }),
    message_id: optionalText().meta({
      description:
        'The message. Reports of one message to one person are one delivery, however often and in whatever order they come; without it each report is its own.',
      example: 'message-1',
    }),
    user_id: optionalText().meta({
      description: 'Application user id; contact_id when absent or empty.',
      example: 'user-1',
    }),
    contact_id: optionalText().meta({
      description: 'Contact id when identified.',
      example: 'contact-1',
    }),
    anonymous_id: optionalText().meta({
      description: 'SDK anonymous id.',
      example: 'device-1',
    }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({
        description:
          'Anything else, e.g. action_url, action_id, button_id. At most 5 levels deep, keys of 256 characters, values of 10 KB.',
        example: { action_id: 'open' },
      }),
    workspace_id: optionalText().meta({
      description: 'The workspace of the write key; another one is refused with 403.',
    }),
  })
  .meta({
    description: 'What happened to a push, or to the permission and subscription it needs.',
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
