// The position in the event of the error that the rejection names. A rejection has a code and a
// message, which begins with the name of the invalid field, if any.

import type { JsonLine } from '../json/json-lines.ts';
import type { JsonMark } from '../json/mark-line.ts';

type Refusal = { readonly code: string; readonly message: string };

const FIELD = /^([A-Za-z_][\w.]*) (?:must|is|has) /;
/** Their sentences speak of the one field that they can be about. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  UNKNOWN_EVENT_TYPE: ['type'],
  INVALID_TIMESTAMP: ['timestamp'],
  INVALID_EVENT: [],
};

/** As ingest holds events to them: the object itself is level 1. */
const LEVELS_MAX = 5;
const NAME_CHARACTERS_MAX = 256;
const VALUE_BYTES_MAX = 10_240;

const FAULTS: Readonly<Record<string, (line: JsonLine) => boolean>> = {
  NESTING_TOO_DEEP: ({ path, pieces }) =>
    path !== undefined && path.length > LEVELS_MAX && /^[[{]/.test(pieces.at(-1)?.text ?? ''),
  KEY_TOO_LONG: ({ path }) => (path?.at(-1) ?? '').length > NAME_CHARACTERS_MAX,
  VALUE_TOO_LARGE: ({ pieces }) => pieces.some(({ text }) => text.length > VALUE_BYTES_MAX),
};

export function placeOf({ code, message }: Refusal): JsonMark | undefined {
  const path = FIELDS[code] ?? FIELD.exec(message)?.[1]?.split('.');
  if (path === undefined) return undefined;
  const isFault = FAULTS[code];
  return { path, note: message, ...(isFault && { isFault }) };
}
