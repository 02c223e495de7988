import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';

/** For the affiliate to read: what to mend, in a few sentences. */
const REASON_CHARACTERS_MAX = 1_000;
/** A page of the review queue. */
const BULK_MAX = 100;

const ids = z
  .array(z.uuid())
  .min(1, { error: 'names none.' })
  .max(BULK_MAX, { error: `has more than ${BULK_MAX}.` })
  .refine(all => new Set(all).size === all.length, { error: 'names one twice.' });

export const kycApproveContract = z.strictObject({ ids });
export type KycApprove = z.output<typeof kycApproveContract>;

export const kycRejectContract = z.strictObject({
  ids,
  reason: z
    .string()
    .transform(reason => reason.trim())
    .pipe(requiredText(REASON_CHARACTERS_MAX)),
});
export type KycReject = z.output<typeof kycRejectContract>;
