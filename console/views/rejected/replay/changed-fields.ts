// What a correction changes in one event.

import { type JsonLine, jsonLines } from '../../../pieces/json/json-lines.ts';

export type ChangedField = {
  /** Such as `properties.total`. */
  readonly path: string;
  /** JSON texts; undefined if the field is not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

export function changedFields(before: string, after: string): ChangedField[] {
  const [old, corrected] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...corrected.keys()])]
    .map(path => ({ path, before: old.get(path), after: corrected.get(path) }))
    .filter(field => field.before !== field.after);
}

/** The values within objects and arrays, by path. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { path, pieces } of jsonLines(text)) {
    const value = valueIn(pieces);
    if (path !== undefined && value !== undefined) values.set(path.join('.'), value);
  }
  return values;
}

const NO_VALUES = new Set([',', ': ', '{', '[']);

function valueIn(pieces: JsonLine['pieces']): string | undefined {
  return pieces.findLast(({ kind, text }) => kind !== 'name' && !NO_VALUES.has(text))?.text;
}
