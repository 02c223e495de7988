import { type ExactJson, textField } from '../../../schema/values/exact-json.ts';

/** Longer texts of an approver are cut, to bound the size of a row. */
const CHARACTERS_MAX = 512;

/** Returns a text that Postgres can store: without NUL and unpaired surrogates. */
export function upstreamText(
  json: ExactJson | undefined,
  name: string,
  charactersMax = CHARACTERS_MAX,
): string | undefined {
  const text = textField(json, name);
  return text?.replaceAll('\u0000', '').slice(0, charactersMax).toWellFormed();
}
