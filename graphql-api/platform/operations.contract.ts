// Inputs of manual operations by platform admins.

import { z } from 'zod';

/** The size of a page. */
const BULK_MAX = 100;

/** The IDs of the objects that one call changes. */
export const ids = z
  .array(z.uuid())
  .min(1, { error: 'must not be empty.' })
  .max(BULK_MAX, { error: `must have at most ${BULK_MAX} items.` })
  .refine(all => new Set(all).size === all.length, { error: 'must not contain duplicates.' });

export const outboxRowsContract = z.strictObject({ ids });
export type OutboxRows = z.output<typeof outboxRowsContract>;

export const deadLetterRedriveContract = z
  .strictObject({ ids: ids.optional(), job: z.string().min(1).max(100).optional() })
  .refine(({ ids: some, job }) => (some === undefined) !== (job === undefined), {
    error: 'Provide either `ids` or `job`, not both.',
  });
export type DeadLetterRedrive = z.output<typeof deadLetterRedriveContract>;

/** The maximum per call, oldest first. Repeat the call to retry more jobs. */
export const REDRIVEN_MAX = BULK_MAX;
