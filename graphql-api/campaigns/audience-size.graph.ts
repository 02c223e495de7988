import type { ArgBuilder } from '@pothos/core';
import { z } from 'zod';
import { AUDIENCE_CONDITIONS_MAX, AUDIENCE_LEVELS_MAX } from '../../schema/campaign/audience.ts';
import { campaignSchema } from '../../schema/campaign/campaign.ts';
import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { Rejected, reject } from '../platform/rejected.ts';
import { type AudienceSize, audienceSize, EXAMINED_MAX } from './audience-size.reads.ts';

export const AudienceSizeRef = memberObject<AudienceSize>('AudienceSize', {
  description: 'The number of examined contacts who match an audience.',
  fields: t => ({
    ...expose(t, 'Int!', {
      matching: 'The number of contacts who match, regardless of consent.',
      consenting:
        'The number of matching contacts who consented to the campaign’s purpose and are not suppressed. For the purposes `service` and `transactional`, all matching contacts who have not denied consent are counted, even if they are suppressed.',
      examined: 'The number of contacts examined. The newest contacts are examined first.',
    }),
    ...expose(t, 'Boolean!', {
      isComplete:
        'Whether all contacts were examined. If false, `matching` ÷ `examined` is an estimate of the proportion of contacts who match.',
    }),
  }),
});

/** The field reads thousands of rows. */
export const AUDIENCE_SIZE_COST = 100;

export const audienceSizeArgs = (arg: ArgBuilder<SchemaTypes>) => ({
  examinedMax: arg.int({
    description: `The maximum number of contacts to examine, from 1 to ${EXAMINED_MAX}. Defaults to ${EXAMINED_MAX}.`,
  }),
});

const { shape } = campaignSchema;
const questionContract = z.object({
  audience: shape.audience,
  consentPurpose: shape.consentPurpose,
});

type GivenQuestion = {
  readonly audience?: unknown;
  readonly consentPurpose: string;
  readonly examinedMax?: number | null | undefined;
};

export function audienceSizeOf(
  context: Context,
  { examinedMax, audience = null, consentPurpose }: GivenQuestion,
): Promise<AudienceSize> {
  const most = examinedMax ?? EXAMINED_MAX;
  if (most < 1 || most > EXAMINED_MAX)
    return reject('BAD_USER_INPUT', {
      field: ['examinedMax'],
      message: `examinedMax: must be between 1 and ${EXAMINED_MAX}.`,
    });
  const { success, data, error } = questionContract.safeParse({ audience, consentPurpose });
  if (!success) throw new Rejected(contractRejections(error));
  return audienceSize(context, data, most);
}

builder.queryField('audienceSize', t =>
  t.field({
    type: AudienceSizeRef,
    description:
      'The number of contacts in the viewer’s workspace who are in the audience of an unsaved campaign, regardless of caps.',
    authScopes: { member: true },
    complexity: AUDIENCE_SIZE_COST,
    args: {
      audience: t.arg({
        type: 'JSON',
        description: `The audience rule, in the format of \`Campaign.audience\`, with at most ${AUDIENCE_LEVELS_MAX} levels and ${AUDIENCE_CONDITIONS_MAX} conditions; null if the campaign is for everyone.`,
      }),
      consentPurpose: t.arg.string({
        required: true,
        description: 'The purpose that a person must have consented to.',
      }),
      ...audienceSizeArgs(t.arg),
    },
    resolve: (_root, args, { context }) => audienceSizeOf(context, args),
  }),
);
