import { z } from 'zod';
import { optionalText, requiredText } from '../../schema/values/text.ts';
import { conditionalSchema } from './conditional-schema.ts';

const NPS_SCORE_MAX = 10;

const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullish().meta({ description });
const object = z.record(z.string(), z.unknown());
const numberOf = (description: string) => optional(z.number(), description);

/**
 * What the payload of each type of response holds. Only the keys named here are looked at; the
 * payload is stored as it was sent.
 */
export const IN_APP_RESPONSE_PAYLOADS = {
  nps: z.looseObject({
    score: z
      .number()
      .min(0, { error: `must be from 0 to ${NPS_SCORE_MAX}.` })
      .max(NPS_SCORE_MAX, { error: `must be from 0 to ${NPS_SCORE_MAX}.` })
      .meta({ description: 'How likely the person is to recommend, 0 to 10.' }),
  }),
  poll: z.looseObject({
    option_id: optional(z.string(), 'The option chosen.'),
    option: optional(z.string(), 'The option chosen, in words.'),
    option_ids: optional(z.array(z.string()), 'The options chosen.'),
  }),
  quiz: z.looseObject({
    answers: optional(
      z.union([z.array(z.unknown()), object], { error: 'must be an array or an object.' }),
      'The answers, by position or by question.',
    ),
    score: numberOf('The points reached.'),
    passed: optional(z.boolean(), 'Whether they were enough.'),
  }),
  rating: z.looseObject({
    rating: numberOf('The rating given.'),
    score: numberOf('The rating given; by this name it is also a column for analysts.'),
  }),
  form: z.looseObject({
    fields: optional(object, 'What was filled in, by field.'),
    values: optional(object, 'What was filled in, by field.'),
  }),
  countdown: z.looseObject({
    completed: optional(z.boolean(), 'Whether the countdown ran out while it was shown.'),
    action: optional(z.string(), 'What the person did.'),
  }),
} as const;

export type InAppResponseType = keyof typeof IN_APP_RESPONSE_PAYLOADS;
const RESPONSE_TYPES = Object.keys(IN_APP_RESPONSE_PAYLOADS) as InAppResponseType[];

/** Spec, In-app response body: POST /api/v1/in_app/responses. */
export const inAppResponseBody = z
  .looseObject({
    campaign_id: requiredText().meta({
      description: 'The in-app campaign that asked; known here or not.',
      example: 'campaign-1',
    }),
    response_type: z.enum(RESPONSE_TYPES).meta({ description: 'What kind of answer it is.' }),
    platform: z.enum(['web', 'ios', 'android']).meta({ description: 'Where it was given.' }),
    payload: object.meta({
      description:
        'The answer; its shape depends on response_type. nps: score, a number from 0 to 10, required. poll: option_id or option, strings; option_ids, a list of them. quiz: answers, an array or object; score, a number; passed, a boolean. rating: rating or score, numbers. form: fields or values, objects. countdown: completed, a boolean; action, a string. All of these but the score of nps may be left out, and other keys are kept as sent. At most 5 levels deep, keys of 256 characters, values of 10 KB.',
      example: { score: 9 },
    }),
    user_id: optionalText().meta({ description: 'Application user id.', example: 'user-1' }),
    contact_id: optionalText().meta({ description: 'Contact id.' }),
    variant_id: optionalText().meta({ description: 'A/B variant id when assigned.' }),
    workspace_id: optionalText().meta({
      description: 'The workspace of the write key; another one is refused with 403.',
    }),
    property_id: optionalText().meta({
      description: 'The property, as X-Property-Id names it; another workspace’s is 403.',
    }),
    idempotency_key: optionalText().meta({
      description:
        'Client-built de-duplication key of one person (user_id, else contact_id): their responses of the same campaign, response_type and key count once. Responses that name nobody count as those of one person here. Without a key, identical responses (payload text, variant and all) of one user_id and contact_id on one UTC day count once, since an SDK repeats what it saw fail; responses of nobody known each count.',
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
    description: 'What a person answered to an in-app campaign or a widget of a journey.',
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
