// Reads values from the gateway's objects, in webhooks and API responses alike.

import { type ExactObject, objectField, textField } from '../../../schema/values/exact-json.ts';
import { gatewayAmountMinor } from '../gateway-amount.ts';

/** A signed event lacks a required value or has it in an unknown form. A retry does not help. */
export class UnreadableEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableEvent';
  }
}

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
export function wordAt(value: ExactObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textField(value, name);
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

type Amount = { readonly amountMinor: bigint; readonly currency: string };

export function amountAt(
  value: ExactObject,
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
export function nested(data: ExactObject, ...names: readonly string[]): ExactObject {
  for (const name of names) {
    const value = objectField(data, name);
    if (Object.keys(value).length > 0) return value;
  }
  return data;
}

const AUTHORIZATION_NAMES = [
  'authorization_details',
  'authorisation_details',
  'authorizationDetails',
];

/**
 * The authorization details of a mandate, whose name differs between webhooks, responses and
 * versions. Empty if there are none.
 */
export function authorizationOf(data: ExactObject): ExactObject {
  const found = AUTHORIZATION_NAMES.map(name => objectField(data, name));
  return found.find(object => Object.keys(object).length > 0) ?? {};
}

/** The payment group. In the oldest version, the method itself is a string. */
export function methodOf(authorization: ExactObject): string | undefined {
  return wordAt(authorization, 'payment_group', 'paymentGroup', 'payment_method', 'paymentMethod');
}

/** Postgres text cannot store NUL or lone surrogates. */
const UNSTORABLE = /\0|\p{Cs}/u;
