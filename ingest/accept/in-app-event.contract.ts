import { z } from 'zod';
import { optionalText, requiredText } from '../../schema/values/text.ts';

/** What a person did with an in-app campaign. */
export const IN_APP_EVENT_TYPES = ['impression', 'clicked', 'dismissed'] as const;

/** Spec, In-app telemetry body: POST /v1/in_app/events. */
export const inAppEventBody = z
  .looseObject({
    campaign_id: requiredText().meta({
      description: 'The in-app campaign. One that is not known here is accepted, too.',
      example: 'campaign-1',
    }),
    event_type: z.enum(IN_APP_EVENT_TYPES).meta({ description: 'What happened to the campaign.' }),
    user_id: optionalText().meta({
      description:
        'Application user id. Required when there is no anonymous_id. Only reports with a user_id count towards frequency caps.',
      example: 'user-1',
    }),
    anonymous_id: optionalText().meta({
      description: 'SDK anonymous id. Required when there is no user_id.',
      example: 'device-1',
    }),
    platform: optionalText().meta({ description: 'Free text.', example: 'web' }),
    workspace_id: optionalText().meta({
      description: 'The workspace of the write key; another one is refused with 403.',
    }),
    property_id: optionalText().meta({
      description: 'The property, as X-Property-Id names it; another workspace’s is 403.',
    }),
    idempotency_key: optionalText().meta({
      description:
        'Client-built de-duplication key of one person: their reports of the same campaign, event_type and key count once, however often they are sent; those of other people with the same key count, too. The person is the user_id, else the anonymous_id. Without a key each report counts.',
      example: 'user-1:campaign-1:impression:7',
    }),
    variant_id: optionalText().meta({
      description: 'The variant shown. Without it, the one that the person is assigned.',
    }),
    journey_step_execution_id: optionalText().meta({
      description: 'For a campaign that a journey queued.',
    }),
    step_id: optionalText().meta({ description: 'The step of a multi-step renderer.' }),
  })
  .refine(({ user_id, anonymous_id }) => user_id !== '' || anonymous_id !== '', {
    error: 'user_id or anonymous_id is missing or empty; send one of them.',
    params: { code: 'MISSING_FIELD' },
  })
  .meta({
    description:
      'Feedback on an in-app campaign. Application events belong to /v1/batch and are refused here.',
    anyOf: ['user_id', 'anonymous_id'].map(name => ({
      required: [name],
      properties: { [name]: { type: 'string', minLength: 1 } },
      unevaluatedProperties: true,
    })),
    example: {
      campaign_id: 'campaign-1',
      event_type: 'impression',
      user_id: 'user-1',
      anonymous_id: 'device-1',
      platform: 'web',
      idempotency_key: 'user-1:campaign-1:impression:7',
    },
  });

export type InAppEventBody = z.output<typeof inAppEventBody>;
