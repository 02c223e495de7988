import { z } from 'zod';
import { campaignSchema } from '../../schema/campaign/campaign.ts';
import { requiredText, text } from '../../schema/values/text.ts';

/** One request's change of many people; each is locked until the end. */
const BULK_MAX = 100;
const SOURCE_CHARACTERS_MAX = 256;

const consent = {
  purpose: campaignSchema.shape.consentPurpose.meta({
    description: 'What it is about: a word in lower case.',
    example: 'marketing',
  }),
  status: z
    .enum(['GRANTED', 'DENIED'])
    .meta({ description: 'Whether the person agreed.', example: 'GRANTED' }),
  source: text(SOURCE_CHARACTERS_MAX)
    .nullish()
    .transform(source => source ?? '')
    .meta({ description: 'Where they said so.', example: 'preference centre' }),
};

export const consentSetContract = z.strictObject({ id: z.uuid(), ...consent });
export type ConsentSet = z.output<typeof consentSetContract>;

/** People by the application's own ids: whoever brings many has no others. */
export const consentBulkSetContract = z.strictObject({
  consents: z
    .array(z.strictObject({ userId: requiredText(), ...consent }))
    .min(1)
    .max(BULK_MAX),
});
export type ConsentBulkSet = z.output<typeof consentBulkSetContract>;

export const consentSetBody = z.strictObject(consent).meta({ id: 'ConsentSet' });

export const consentResource = z
  .object({
    purpose: z.string().meta({ example: 'marketing' }),
    status: z.enum(['GRANTED', 'DENIED']).meta({ example: 'GRANTED' }),
    source: z.string().meta({ example: 'preference centre' }),
    version: z.int().meta({ description: 'Goes up with each change.', example: 1 }),
    recorded_at: z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'Consent' });
export type ConsentResource = z.output<typeof consentResource>;
