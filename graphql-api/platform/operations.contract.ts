// What platform admins mend by hand.

import { z } from 'zod';

/** A page of what needs a hand. */
const BULK_MAX = 100;

const ids = z
  .array(z.uuid())
  .min(1, { error: 'names none.' })
  .max(BULK_MAX, { error: `has more than ${BULK_MAX}.` })
  .refine(all => new Set(all).size === all.length, { error: 'names one twice.' });

export const outboxRowsContract = z.strictObject({ ids });
export type OutboxRows = z.output<typeof outboxRowsContract>;

export const deadLetterRedriveContract = z
  .strictObject({ ids: ids.optional(), job: z.string().min(1).max(100).optional() })
  .refine(({ ids: some, job }) => (some === undefined) !== (job === undefined), {
    error: 'Give either ids or job.',
  });
export type DeadLetterRedrive = z.output<typeof deadLetterRedriveContract>;

/** Of one call, the oldest first; who has more asks again. */
export const REDRIVEN_MAX = BULK_MAX;
