import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';

/** A few sentences that the affiliate can read. */
const REASON_CHARACTERS_MAX = 1_000;
/** One page of the review queue. */
const BULK_MAX = 100;

const ids = z
  .array(z.uuid())
  .min(1, { error: 'must not be empty.' })
  .max(BULK_MAX, { error: `must have at most ${BULK_MAX} items.` })
  .refine(all => new Set(all).size === all.length, { error: 'must not contain duplicates.' });

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
