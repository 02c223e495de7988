import { type ExactJson, textField } from '../../platform/exact-json.ts';

/** Of what an approver writes: cut, so that a row stays a row. */
const CHARACTERS_MAX = 512;

/** As the database can hold it: no NUL, and no half of a character. */
export function upstreamText(
  json: ExactJson | undefined,
  name: string,
  charactersMax = CHARACTERS_MAX,
): string | undefined {
  const text = textField(json, name);
  return text?.replaceAll('\u0000', '').slice(0, charactersMax).toWellFormed();
}
