// What people may read of an event's body: every name in it, and the values that say what happened. Who
// paid, how, and what anybody wrote in their own words is withheld, also under names that nobody has
// seen yet: what is shown is listed, not what is hidden.

import {
  type GatewayJson,
  type GatewayObject,
  parseGatewayJson,
} from '../../../schema/gateway/gateway-json.ts';

export const WITHHELD = '(withheld)';

/** Deeper than any of the gateway's, and no danger for the stack. */
const DEPTH_MAX = 12;
/** All below them is somebody's: the customer, their means of payment, and tags of free choice. */
const PRIVATE =
  /^(?:customer|payment_method|authorization_reference|bank|upi|card|kyc)|(?:_tags|_notes)$/;
/** The last word of a name whose value says what, when and how much. */
const SHOWN =
  /(?:^|_)(?:id|type|status|amount|paid|currency|time|date|at|code|speed|group|version|by|on|attempts|entity|arn|utr|charge|tax|percentage|refund)$/;

/** Numbers as text, to the digit; null where it is no JSON object. */
export function shownBody(body: string): string | null {
  const parsed = parseGatewayJson(body);
  if (Object.keys(parsed).length === 0) return null;
  return JSON.stringify(shownObject(parsed, false, 0), null, 2);
}

function shownObject(object: GatewayObject, isPrivate: boolean, depth: number): GatewayJson {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const plain = inSnakeCase(name);
      const isBelowPrivate = isPrivate || PRIVATE.test(plain);
      return [name, shownValue(value ?? null, isBelowPrivate, SHOWN.test(plain), depth + 1)];
    }),
  );
}

function shownValue(
  value: GatewayJson,
  isPrivate: boolean,
  isShown: boolean,
  depth: number,
): GatewayJson {
  if (value === null || value === '') return value;
  if (typeof value !== 'object') return isShown && !isPrivate ? value : WITHHELD;
  if (depth > DEPTH_MAX) return WITHHELD;
  return Array.isArray(value)
    ? value.map(item => shownValue(item as GatewayJson, isPrivate, isShown, depth + 1))
    : shownObject(value as GatewayObject, isPrivate, depth);
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
