import { z } from 'zod';
import { optionalText, requiredText } from '../../schema/values/text.ts';
import { conditionalSchema } from './conditional-schema.ts';

const NPS_SCORE_MAX = 10;

const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullish().meta({ description });
const object = z.record(z.string(), z.unknown());
const numberOf = (description: string) => optional(z.number(), description);

/**
 * The payload of each response type. Only the keys listed here are validated; the payload is stored
 * as sent.
 */
const IN_APP_RESPONSE_PAYLOADS = {
  nps: z.looseObject({
    score: z
      .number()
      .min(0, { error: `must be from 0 to ${NPS_SCORE_MAX}.` })
      .max(NPS_SCORE_MAX, { error: `must be from 0 to ${NPS_SCORE_MAX}.` })
      .meta({ description: 'How likely the person is to recommend the product, from 0 to 10.' }),
  }),
  poll: z.looseObject({
    option_id: optional(z.string(), 'The option chosen.'),
    option: optional(z.string(), 'The text of the option chosen.'),
    option_ids: optional(z.array(z.string()), 'The options chosen.'),
  }),
  quiz: z.looseObject({
    answers: optional(
      z.union([z.array(z.unknown()), object], { error: 'must be an array or an object.' }),
      'The answers, by position or by question.',
    ),
    score: numberOf('The points scored.'),
    passed: optional(z.boolean(), 'Whether the person passed the quiz.'),
  }),
  rating: z.looseObject({
    rating: numberOf('The rating given.'),
    score: numberOf('The rating given. Unlike `rating`, `score` is also stored in its own column.'),
  }),
  form: z.looseObject({
    fields: optional(object, 'The submitted values by field.'),
    values: optional(object, 'The submitted values by field.'),
  }),
  countdown: z.looseObject({
    completed: optional(z.boolean(), 'Whether the countdown ran out while it was shown.'),
    action: optional(z.string(), 'The action taken by the person.'),
  }),
} as const;

type InAppResponseType = keyof typeof IN_APP_RESPONSE_PAYLOADS;
const RESPONSE_TYPES = Object.keys(IN_APP_RESPONSE_PAYLOADS) as InAppResponseType[];

/** Spec, In-app response body: POST /api/v1/in_app/responses. */
export const inAppResponseBody = z
  .looseObject({
    campaign_id: requiredText().meta({
      description: 'The ID of the in-app campaign. Unknown IDs are also accepted.',
      example: 'campaign-1',
    }),
    response_type: z.enum(RESPONSE_TYPES).meta({ description: 'The type of response.' }),
    platform: z
      .enum(['web', 'ios', 'android'])
      .meta({ description: 'The platform on which the person responded.' }),
    payload: object.meta({
      description:
        'The response. Its shape depends on response_type. nps: score, a number from 0 to 10, required. poll: option_id or option, strings; option_ids, an array of strings. quiz: answers, an array or object; score, a number; passed, a boolean. rating: rating or score, numbers. form: fields or values, objects. countdown: completed, a boolean; action, a string. All keys are optional except score for nps. Other keys are stored as sent. Limits: 5 levels of nesting, 256 characters per key, 10 KB per value.',
      example: { score: 9 },
    }),
    user_id: optionalText().meta({ description: 'The application’s user ID.', example: 'user-1' }),
    contact_id: optionalText().meta({ description: 'The contact ID.' }),
    variant_id: optionalText().meta({
      description: 'The ID of the A/B variant, if one was assigned.',
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
        'A deduplication key built by the client, scoped to one person: responses with the same person, campaign, response_type and key are counted once. The person is the user_id or, if that is missing, the contact_id; all responses with neither ID share one scope. Without a key, identical responses (same payload text, variant and other fields) with the same user_id and contact_id are counted once per UTC day, because SDKs retry failed requests. With neither a key nor a person, every response is counted, including duplicates.',
    }),
  })
  .check(({ value, issues }) => {
    const { payload, response_type } = value;
    const parsed = IN_APP_RESPONSE_PAYLOADS[response_type].safeParse(payload, {
      reportInput: true,
    });
    if (parsed.success) return;
    for (const issue of parsed.error.issues)
      issues.push({ ...issue, path: ['payload', ...issue.path] } as z.core.$ZodRawIssue);
  })
  .meta({
    description: 'A response to an in-app campaign or a journey widget.',
    allOf: [
      conditionalSchema(
        { properties: { response_type: { const: 'nps' } } },
        {
          properties: {
            payload: {
              required: ['score'],
              properties: { score: { type: 'number', minimum: 0, maximum: NPS_SCORE_MAX } },
              unevaluatedProperties: true,
            },
          },
        },
      ),
    ],
    example: {
      campaign_id: 'campaign-1',
      response_type: 'nps',
      platform: 'web',
      payload: { score: 9, comment: 'Quick and friendly.' },
      user_id: 'user-1',
    },
  });

export type InAppResponseBody = z.output<typeof inAppResponseBody>;
