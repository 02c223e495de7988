import { z } from 'zod';
import { optionalText, requiredText } from '../../schema/values/text.ts';

/** The interactions with an in-app campaign. */
export const IN_APP_EVENT_TYPES = ['impression', 'clicked', 'dismissed'] as const;

/** Spec, In-app telemetry body: POST /v1/in_app/events. */
export const inAppEventBody = z
  .looseObject({
    campaign_id: requiredText().meta({
      description: 'The ID of the in-app campaign. Unknown IDs are also accepted.',
      example: 'campaign-1',
    }),
    event_type: z.enum(IN_APP_EVENT_TYPES).meta({ description: 'The type of interaction.' }),
    user_id: optionalText().meta({
      description:
        'The application’s user ID. Required if anonymous_id is missing. Only events with a user_id count toward frequency caps.',
      example: 'user-1',
    }),
    anonymous_id: optionalText().meta({
      description: 'The anonymous ID that the SDK generated. Required if user_id is missing.',
      example: 'device-1',
    }),
    platform: optionalText().meta({
      description: 'The name of the platform, as free text.',
      example: 'web',
    }),
    workspace_id: optionalText().meta({
      description: 'The ID of the write key’s workspace. Any other ID is refused with 403.',
    }),
    property_id: optionalText().meta({
      description:
        'The ID of the property. Takes precedence over X-Property-Id. The ID of a property in another workspace is refused with 403.',
    }),
    idempotency_key: optionalText().meta({
      description:
        'A deduplication key built by the client, scoped to one person: events with the same person, campaign, event_type and key are counted once. The person is the user_id or, if that is missing, the anonymous_id. Without a key, every event is counted, including duplicates.',
      example: 'user-1:campaign-1:impression:7',
    }),
    variant_id: optionalText().meta({
      description: 'The variant that was shown. Defaults to the variant assigned to the person.',
    }),
    journey_step_execution_id: optionalText().meta({
      description: 'The ID of the step execution, if a journey queued the campaign.',
    }),
    step_id: optionalText().meta({
      description: 'The step that was shown, for multi-step renderers.',
    }),
  })
  .refine(({ user_id, anonymous_id }) => user_id !== '' || anonymous_id !== '', {
    error: 'user_id and anonymous_id are both missing or empty; send at least one of them.',
    params: { code: 'MISSING_FIELD' },
  })
  .meta({
    description:
      'Feedback on an in-app campaign. Application events are rejected; send them to /v1/batch.',
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
