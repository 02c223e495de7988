import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { wholeNumber } from '../platform/whole-number.contract.ts';

/** As many as a footprint can have. */
const IDS_MAX = 1_000;
/** Ten years. */
export const LATE_DAYS_MAX = 3_650;
/** Devices that were offline send their queued events within weeks. */
export const LATE_DAYS_DEFAULT = 30;

const ONE_ID = 'Provide exactly one of the user ID, the contact ID and the anonymous ID.';

export const personLookupContract = z
  .strictObject({
    userId: requiredText().optional(),
    contactId: requiredText().optional(),
    anonymousId: requiredText().optional(),
  })
  .refine(given => Object.values(given).filter(id => id !== undefined).length === 1, ONE_ID);
export type PersonLookup = z.output<typeof personLookupContract>;

const ids = z.array(requiredText()).max(IDS_MAX);

/** The IDs and the confirmation of a footprint. */
export const confirmedPersonContract = z.strictObject({
  userIds: ids,
  anonymousIds: ids,
  confirmation: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the confirmation that the footprint returned.'),
});
export type ConfirmedPerson = z.output<typeof confirmedPersonContract>;

export const privacySettingsUpdateContract = z.strictObject({
  lateDays: wholeNumber(0, LATE_DAYS_MAX),
});
export type PrivacySettingsUpdate = z.output<typeof privacySettingsUpdateContract>;
