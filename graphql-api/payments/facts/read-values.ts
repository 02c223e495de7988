// Reads values from the gateway's objects, in webhooks and API responses alike.

import { type GatewayObject, objectAt, textAt } from '../../../schema/gateway/gateway-json.ts';
import { gatewayAmountMinor } from '../../../schema/gateway/gateway-values.ts';
import { UnreadableEvent } from './unreadable.ts';

/** The gateway's default, since it is Indian. */
const CURRENCY_DEFAULT = 'INR';
/** A reason is a line or two. Longer text is truncated. */
const REASON_CHARACTERS_MAX = 300;
/** For the gateway's IDs and enum values. The longest known one has 250 characters. */
const WORD_CHARACTERS_MAX = 255;

export function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UnreadableEvent(`${name} is missing`);
  if (value.length > WORD_CHARACTERS_MAX || UNSTORABLE.test(value))
    throw new UnreadableEvent(`${name} is not valid`);
  return value;
}

/** The first value that is present and valid. */
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
  if (amountMinor === undefined) throw new UnreadableEvent(`${names[0]} is not a valid amount`);
  return { amountMinor, currency };
}

/** The nested object if there is one, otherwise the whole data. */
export function nested(data: GatewayObject, ...names: readonly string[]): GatewayObject {
  for (const name of names) {
    const value = objectAt(data, name);
    if (Object.keys(value).length > 0) return value;
  }
  return data;
}

/** Postgres text cannot store NUL or lone surrogates. */
const UNSTORABLE = /\0|\p{Cs}/u;
