// The API's refusals at the fields of a form, in the form's words.

import { refusalAt } from '../../pieces/Refusals.tsx';
import type { Refusal } from '../../pieces/use-action.tsx';

/** By the API's name of a field: what to enter there. */
export type FieldWords = Readonly<Record<string, string>>;

/** For a field's `error`. */
export function refusedField(
  refusals: readonly Refusal[],
  name: string,
  words: FieldWords,
): string | undefined {
  const message = refusalAt(refusals, name);
  return message && (words[name] ?? message);
}
