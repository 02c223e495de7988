import { z } from 'zod';
import { campaignSchema } from '../../schema/campaign/campaign.ts';
import { requiredText, text } from '../../schema/values/text.ts';

/** Each contact of a bulk request stays locked until its transaction ends. */
const BULK_MAX = 100;
const SOURCE_CHARACTERS_MAX = 256;

const consent = {
  purpose: campaignSchema.shape.consentPurpose.meta({
    description: 'The purpose of the consent: a lowercase word.',
    example: 'marketing',
  }),
  status: z
    .enum(['GRANTED', 'DENIED'])
    .meta({ description: 'The consent status.', example: 'GRANTED' }),
  source: text(SOURCE_CHARACTERS_MAX)
    .nullish()
    .transform(source => source ?? '')
    .meta({ description: 'Where the consent was collected.', example: 'preference center' }),
};

export const consentSetContract = z.strictObject({ id: z.uuid(), ...consent });
export type ConsentSet = z.output<typeof consentSetContract>;

/** Bulk imports identify people by the application's user IDs; the importer has no contact IDs. */
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
    source: z.string().meta({ example: 'preference center' }),
    version: z
      .int()
      .meta({ description: 'The version of the consent, incremented on each change.', example: 1 }),
    recorded_at: z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'Consent' });
export type ConsentResource = z.output<typeof consentResource>;
