import { z } from 'zod';

/** The maximum length of IDs, names and other short strings in SDK requests, in Unicode
 * characters. */
export const TEXT_CHARACTERS_MAX = 512;

/** The message for a string that is missing or has another type. */
export const MISSING = 'is missing or not a string.';

/** A string that fits into a text column; can be empty. */
export function text(charactersMax = TEXT_CHARACTERS_MAX) {
  return z
    .string({ error: MISSING })
    .refine(value => !isLonger(value, charactersMax), {
      error: `is longer than ${charactersMax} characters.`,
      params: { code: 'FIELD_TOO_LONG' },
    })
    .refine(value => value.isWellFormed() && !value.includes('\u0000'), {
      error: 'contains a NUL character or a lone surrogate.',
      params: { code: 'INVALID_STRING' },
    })
    .meta({ maxLength: charactersMax });
}

export function requiredText(charactersMax = TEXT_CHARACTERS_MAX) {
  return text(charactersMax)
    .refine(value => value !== '', {
      error: 'is missing or empty.',
      params: { code: 'MISSING_FIELD' },
    })
    .meta({ minLength: 1, maxLength: charactersMax });
}

/** A missing, null or empty string means unknown. */
export function optionalText(charactersMax = TEXT_CHARACTERS_MAX) {
  return text(charactersMax)
    .nullish()
    .transform(value => value ?? '');
}

function isLonger(value: string, charactersMax: number): boolean {
  if (value.length <= charactersMax) return false;
  let characters = 0;
  for (let at = 0; at < value.length; characters++) at += value.codePointAt(at)! > 0xffff ? 2 : 1;
  return characters > charactersMax;
}
