// Redacts an event body for display. All names are shown, but only the values that describe what
// happened. Personal data and free text are withheld. The values to show are listed, so unknown
// fields are withheld too.

import {
  type ExactJson,
  type ExactObject,
  readExactObject,
} from '../../../schema/values/exact-json.ts';

export const WITHHELD = '(withheld)';

/** Deeper than any body of the gateway, and safe for the stack. */
const DEPTH_MAX = 12;
/** Everything below these names is private: the customer, payment methods, and custom tags. */
const PRIVATE =
  /^(?:customer|payment_method|authorization_reference|bank|upi|card|kyc)|(?:_tags|_notes)$/;
/** Values are shown if the last word of their name is one of these. */
const SHOWN =
  /(?:^|_)(?:id|type|status|amount|paid|currency|time|date|at|code|speed|group|version|by|on|attempts|entity|arn|utr|charge|tax|percentage|refund)$/;

/** Numbers become text, to keep all digits. Null if the body is not a JSON object. */
export function shownBody(body: string): string | null {
  const parsed = readExactObject(body);
  if (Object.keys(parsed).length === 0) return null;
  return JSON.stringify(shownObject(parsed, false, 0), null, 2);
}

function shownObject(object: ExactObject, isPrivate: boolean, depth: number): ExactJson {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const plain = inSnakeCase(name);
      const isBelowPrivate = isPrivate || PRIVATE.test(plain);
      return [name, shownValue(value ?? null, isBelowPrivate, SHOWN.test(plain), depth + 1)];
    }),
  );
}

function shownValue(
  value: ExactJson,
  isPrivate: boolean,
  isShown: boolean,
  depth: number,
): ExactJson {
  if (value === null || value === '') return value;
  if (typeof value !== 'object') return isShown && !isPrivate ? value : WITHHELD;
  if (depth > DEPTH_MAX) return WITHHELD;
  return Array.isArray(value)
    ? value.map(item => shownValue(item as ExactJson, isPrivate, isShown, depth + 1))
    : shownObject(value as ExactObject, isPrivate, depth);
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
