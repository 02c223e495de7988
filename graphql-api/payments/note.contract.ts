// Notes that the gateway stores. It responds with 400 to control characters and to empty strings.

import { z } from 'zod';
import { MISSING, text } from '../../schema/values/text.ts';

/** The minimum length that the gateway accepts. */
const NOTE_CHARACTERS_MIN = 3;

/** The length limit applies to the sanitised note. */
export function note(charactersMax: number) {
  return z
    .string({ error: MISSING })
    .nullish()
    .transform(sanitisedNote)
    .pipe(
      text(charactersMax)
        .refine(value => value.length >= NOTE_CHARACTERS_MIN, {
          error: `must have at least ${NOTE_CHARACTERS_MIN} characters.`,
        })
        .optional(),
    );
}

/**
 * Replaces line breaks with spaces and removes other control characters (including NUL) and lone
 * surrogates. Returns undefined if nothing is left; the field is then omitted.
 */
export function sanitisedNote(note: string | null | undefined): string | undefined {
  const sanitised = (note ?? '')
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
  return sanitised === '' ? undefined : sanitised;
}
