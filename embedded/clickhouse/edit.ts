/** A replacement in a text. For an insertion `end` equals `start`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Applies edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
