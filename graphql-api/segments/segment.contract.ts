import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';
import { segmentRuleSchema } from './segment-rule.ts';

const NAME_CHARACTERS_MAX = 256;

const RULE_EXAMPLE = {
  and: [
    { event: { name: 'Order Completed' }, at_least: 2, within_days: 30 },
    { not: { event: { name: 'Order Completed' }, within_days: 7 } },
    { trait: 'plan', operator: 'eq', value: 'pro' },
  ],
};

const name = requiredText(NAME_CHARACTERS_MAX).meta({
  description: 'The display name.',
  example: 'Ordered twice, but not this week',
});
const rule = segmentRuleSchema.meta({
  type: 'object',
  description:
    'Conditions on events and traits, combined with `and`, `or` and `not`. A rule that can match people who have no events is refused.',
  example: RULE_EXAMPLE,
});
/** The version that the change is based on. A later version in the database is a conflict. */
const version = z
  .int()
  .min(1)
  .meta({ description: 'The version that the update is based on.', example: 1 });

export const segmentCreateContract = z.strictObject({ name, rule });
export type SegmentCreate = z.output<typeof segmentCreateContract>;

export const segmentUpdateContract = z.strictObject({
  id: z.uuid(),
  version,
  name: name.optional(),
  rule: rule.optional(),
});
export type SegmentUpdate = z.output<typeof segmentUpdateContract>;

export const segmentIdContract = z.strictObject({ id: z.uuid() });
export type SegmentId = z.output<typeof segmentIdContract>;

export const segmentCreateBody = segmentCreateContract.meta({ id: 'SegmentCreate' });
export const segmentUpdateBody = segmentUpdateContract
  .omit({ id: true })
  .meta({ id: 'SegmentUpdate' });
export const segmentPreviewBody = z.strictObject({ rule }).meta({ id: 'SegmentPreviewRequest' });

export const segmentResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name: z.string().meta({ example: 'Ordered twice, but not this week' }),
    rule: z.unknown().meta({
      description:
        'The rule: conditions on events and traits, combined with `and`, `or` and `not`.',
      example: RULE_EXAMPLE,
    }),
    member_count: z.int().meta({
      description: 'The number of members at the last evaluation.',
      example: 1280,
    }),
    evaluated_at: time.nullable().meta({
      description: 'When the members were last evaluated; null before the first evaluation.',
    }),
    fault: z.string().nullable().meta({
      description: 'The error code from the last evaluation; null if it succeeded.',
      example: null,
    }),
    version: z.int().meta({
      description: 'The version of the segment, incremented on each change.',
      example: 1,
    }),
    created_at: time,
    updated_at: time,
    archived_at: time.nullable().meta({ example: null }),
  })
  .meta({ id: 'Segment' });
export type SegmentResource = z.output<typeof segmentResource>;

export const segmentMemberResource = z
  .object({
    user_id: z.string().meta({ example: 'user-1' }),
    entered_at: time.meta({ description: 'When the person became a member.' }),
  })
  .meta({ id: 'SegmentMember' });

export const segmentPreviewResource = z
  .object({
    people: z
      .int()
      .meta({ description: 'The number of people who match the rule now.', example: 1280 }),
    sql: z.string().meta({
      description:
        'The ClickHouse statement that counted the events, in a form that analysts can run.',
    }),
  })
  .meta({ id: 'SegmentPreview' });
