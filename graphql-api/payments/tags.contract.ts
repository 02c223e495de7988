// Tags that the gateway echoes.

import { z } from 'zod';
import type { TagList } from '../../schema/values/exact-json.ts';
import { MISSING, text } from '../../schema/values/text.ts';
import { sanitisedNote } from './note.contract.ts';

/** Takes one of the gateway's slots. Events are assigned to a workspace by this tag. */
export const WORKSPACE_TAG = 'workspace_id';
/** The gateway accepts 10 tags, and 5 on a link. */
const TAGS_MAX = 10;
const LINK_NOTES_MAX = 5;
/** The gateway does not document the format; this is the format of its other short fields. */
const NAME = /^[A-Za-z0-9_.-]{1,40}$/;
const VALUE_CHARACTERS_MAX = 255;

const written = z.string({ error: MISSING });

const tag = z.strictObject({
  name: z
    .string()
    .regex(NAME, { error: 'must have 1 to 40 letters, digits, dots, underscores or hyphens.' }),
  value: written.transform(sanitisedNote).pipe(text(VALUE_CHARACTERS_MAX).optional()),
});

/** The limit leaves a slot for WORKSPACE_TAG. Tags with an empty value are omitted. */
export const tags = tagsOf(TAGS_MAX - 1);
export const linkNotes = tagsOf(LINK_NOTES_MAX - 1);

function tagsOf(max: number) {
  return z
    .array(tag)
    .max(max, {
      error: `must have at most ${max} entries, because the service adds one of its own.`,
    })
    .refine(list => new Set(list.map(({ name }) => name)).size === list.length, {
      error: 'must not contain duplicate names.',
    })
    .refine(list => list.every(({ name }) => name !== WORKSPACE_TAG), {
      error: `must not contain ${WORKSPACE_TAG}, which the service sets.`,
    })
    .nullish()
    .transform(
      (list): TagList =>
        (list ?? []).flatMap(({ name, value }) =>
          value === undefined ? [] : [[name, value] as const],
        ),
    );
}
