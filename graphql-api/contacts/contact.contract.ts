import { z } from 'zod';
import { requiredText, text } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';

/** Same limit as for `identify`: the object itself is level 1. */
const TRAIT_LEVELS_MAX = 5;
const TRAIT_NAME_CHARACTERS_MAX = 256;
const TRAIT_VALUE_BYTES_MAX = 10 * 1024;
/** Limits one change, and the total that `contactUpsert` can reach. Far below the table's 1 MiB
 * limit, because every in-app request reads the contact. */
export const TRAITS_BYTES_MAX = 64 * 1024;
const REMOVED_TRAITS_MAX = 100;

const traits = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  const fault = traitFault(value, 1) ?? sizeFault(value);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

export const contactUpsertContract = z.strictObject({
  userId: requiredText(),
  anonymousId: text().nullish(),
  traits: traits.nullish(),
  removeTraits: z.array(requiredText(TRAIT_NAME_CHARACTERS_MAX)).max(REMOVED_TRAITS_MAX).nullish(),
});
export type ContactUpsert = z.output<typeof contactUpsertContract>;

export const contactIdContract = z.strictObject({ id: z.uuid() });
export type ContactId = z.output<typeof contactIdContract>;

export const contactFilterContract = z.object({
  search: requiredText().nullish(),
  trait: z
    .object({ name: requiredText(TRAIT_NAME_CHARACTERS_MAX), value: requiredText() })
    .nullish(),
  userIdPrefix: requiredText().nullish(),
  isSuppressed: z.boolean().nullish(),
});
export type ContactFilter = z.output<typeof contactFilterContract>;

export const contactResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    user_id: z.string().meta({ example: 'user-42' }),
    anonymous_id: z.string().nullable().meta({ example: null }),
    traits: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'The traits of the contact; null if they are larger than 256 KB.',
        example: { plan: 'pro' },
      }),
    suppressed_at: time.nullable().meta({
      description:
        'When the contact was suppressed; null if the contact is not suppressed. A suppressed contact receives no journey messages and no promotional in-app content.',
      example: null,
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Contact' });
export type ContactResource = z.output<typeof contactResource>;

function traitFault(value: unknown, level: number): string | undefined {
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > TRAIT_LEVELS_MAX) return `is nested deeper than ${TRAIT_LEVELS_MAX} levels.`;
  for (const [name, inner] of Object.entries(value)) {
    const fault =
      (Array.isArray(value) ? undefined : nameFault(name)) ?? traitFault(inner, level + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'has a trait without a name.';
  if (Array.from(name).length > TRAIT_NAME_CHARACTERS_MAX)
    return `has a name longer than ${TRAIT_NAME_CHARACTERS_MAX} characters.`;
  return isStorable(name) ? undefined : 'contains a NUL character or a lone surrogate.';
}

function textFault(value: string): string | undefined {
  if (Buffer.byteLength(value) > TRAIT_VALUE_BYTES_MAX)
    return `has a value larger than ${TRAIT_VALUE_BYTES_MAX} bytes.`;
  return isStorable(value) ? undefined : 'contains a NUL character or a lone surrogate.';
}

function sizeFault(value: object): string | undefined {
  const isTooLarge = Buffer.byteLength(JSON.stringify(value)) > TRAITS_BYTES_MAX;
  return isTooLarge ? `is larger than ${TRAITS_BYTES_MAX} bytes as JSON.` : undefined;
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}
