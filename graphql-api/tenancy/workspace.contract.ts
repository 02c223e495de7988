import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { wholeNumber } from '../platform/whole-number.contract.ts';

const NAME_CHARACTERS_MAX = 100;
/** A higher daily maximum would have no effect in practice. */
const IN_APP_DAILY_MAX = 10_000;
const INTERVAL_SECONDS_MAX = 30 * 24 * 3600;

const REGION_CHARACTERS_MAX = 100;

export const workspaceCreateContract = z.strictObject({
  name: requiredText(NAME_CHARACTERS_MAX),
  region: requiredText(REGION_CHARACTERS_MAX).nullish(),
});
export type WorkspaceCreate = z.output<typeof workspaceCreateContract>;

/** Omitted fields are unchanged; null removes a cap. */
export const workspaceUpdateContract = z.strictObject({
  name: requiredText(NAME_CHARACTERS_MAX).optional(),
  inAppDailyMax: wholeNumber(1, IN_APP_DAILY_MAX).nullish(),
  inAppIntervalSecondsMin: wholeNumber(1, INTERVAL_SECONDS_MAX).nullish(),
});
export type WorkspaceUpdate = z.output<typeof workspaceUpdateContract>;

export const workspaceResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a11' }),
    organization_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a12' }),
    name: z.string().meta({ example: 'Shop' }),
    in_app_daily_max: z.int().nullable().meta({
      description:
        'The maximum number of in-app impressions per person in any 24-hour period; null if unlimited.',
      example: 5,
    }),
    in_app_interval_seconds_min: z.int().nullable().meta({
      description:
        'The minimum number of seconds between two in-app impressions for the same person; null if there is no minimum.',
      example: 60,
    }),
    created_at: z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceResource = z.output<typeof workspaceResource>;
