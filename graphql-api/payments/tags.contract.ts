// Names and values that the gateway echoes, and the notes that it keeps. It answers 400 to control
// characters and to empty strings.

import { z } from 'zod';
import { MISSING, text } from '../../schema/values/text.ts';
import type { TagList } from '../platform/exact-json.ts';

/** Takes one of the gateway's slots: by it, what the gateway tells us is known to be a workspace's. */
export const WORKSPACE_TAG = 'workspace_id';
/** The gateway takes 10, and 5 on a link. */
const TAGS_MAX = 10;
const LINK_NOTES_MAX = 5;
/** The gateway takes no shorter ones. */
const NOTE_CHARACTERS_MIN = 3;
/** Not published; as for other short fields of the gateway. */
const NAME = /^[A-Za-z0-9_.-]{1,40}$/;
const VALUE_CHARACTERS_MAX = 255;

/** Line breaks become spaces; other control characters (NUL among them) and halves of surrogate pairs go.
 * Undefined where nothing is left: then the field is not sent. */
export function sanitisedNote(note: string | null | undefined): string | undefined {
  const sanitised = (note ?? '')
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim();
  return sanitised === '' ? undefined : sanitised;
}

const written = z.string({ error: MISSING });

/** A note of at most so many characters, as they are sent. */
export function note(charactersMax: number) {
  return written
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

const tag = z.strictObject({
  name: z.string().regex(NAME, { error: 'must have 1 to 40 letters, digits, and . _ -' }),
  value: written.transform(sanitisedNote).pipe(text(VALUE_CHARACTERS_MAX).optional()),
});

/** Beside ours; those whose value comes to nothing are left out. */
export const tags = tagsOf(TAGS_MAX - 1);
export const linkNotes = tagsOf(LINK_NOTES_MAX - 1);

function tagsOf(max: number) {
  return z
    .array(tag)
    .max(max, { error: `must be at most ${max}, since one of the gateway's is ours.` })
    .refine(list => new Set(list.map(({ name }) => name)).size === list.length, {
      error: 'must have different names.',
    })
    .refine(list => list.every(({ name }) => name !== WORKSPACE_TAG), {
      error: `${WORKSPACE_TAG} is set by us.`,
    })
    .nullish()
    .transform(
      (list): TagList =>
        (list ?? []).flatMap(({ name, value }) =>
          value === undefined ? [] : [[name, value] as const],
        ),
    );
}
