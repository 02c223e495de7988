// Values of the gateway's objects, whether they stand in a webhook or in an answer of its API.

import { type GatewayObject, objectAt, textAt } from '../../../schema/gateway/gateway-json.ts';
import { gatewayAmountMinor } from '../../../schema/gateway/gateway-values.ts';
import { UnreadableEvent } from './unreadable.ts';

/** Where the gateway names none: it is India's. */
const CURRENCY_DEFAULT = 'INR';
/** A reason is a line or two; the rest would be somebody's page. */
const REASON_CHARACTERS_MAX = 300;
/** Of the gateway's own ids and words; the longest known has 250. */
const WORD_CHARACTERS_MAX = 255;

export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UnreadableEvent(`it has no ${name}`);
  if (value.length > WORD_CHARACTERS_MAX || UNSTORABLE.test(value))
    throw new UnreadableEvent(`its ${name} can't be one`);
  return value;
}

/** The first that is there, or else nothing. */
export function wordAt(value: GatewayObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textAt(value, name);
    if (text !== undefined && text.length <= WORD_CHARACTERS_MAX && !UNSTORABLE.test(text))
      return text;
  }
  return undefined;
}

export function reasonOf(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/[^\P{C}]|\p{Cs}/gu, ' ')
    .slice(0, REASON_CHARACTERS_MAX)
    .toWellFormed();
}

export type Amount = { readonly amountMinor: bigint; readonly currency: string };

export function amountAt(
  value: GatewayObject,
  names: readonly string[],
  currencyNames: readonly string[],
): Amount | undefined {
  const text = wordAt(value, ...names);
  if (text === undefined) return undefined;
  const currency = wordAt(value, ...currencyNames) ?? CURRENCY_DEFAULT;
  const amountMinor = gatewayAmountMinor(text, currency);
  if (amountMinor === undefined) throw new UnreadableEvent(`its ${names[0]} is no amount`);
  return { amountMinor, currency };
}

/** The thing itself where it has a name of its own, else all of the data. */
export function nested(data: GatewayObject, ...names: readonly string[]): GatewayObject {
  for (const name of names) {
    const value = objectAt(data, name);
    if (Object.keys(value).length > 0) return value;
  }
  return data;
}

/** Neither a NUL nor half a surrogate pair is text to Postgres. */
const UNSTORABLE = /\0|\p{Cs}/u;
