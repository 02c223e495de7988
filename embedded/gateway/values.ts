// Amounts and tags as the gateway writes them.

import { type ExactObject, isObject, Raw, readExact } from '../../schema/values/exact-json.ts';

/** Undefined if the text is not a JSON object. */
export function readGiven(text: string): ExactObject | undefined {
  const json = readExact(text);
  return isObject(json) ? json : undefined;
}

/** An object of strings as it was written, to keep its order. The strings may contain braces. */
export function rawObjectIn(text: string, name: string): Raw | undefined {
  const pattern = new RegExp(`"${name}"\\s*:\\s*(\\{(?:[^{}"]|"(?:[^"\\\\]|\\\\.)*")*\\})`);
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : new Raw(found);
}

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Converts rupees to paise; undefined if the text is not an amount. */
export function paise(text: string | undefined): bigint | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text ?? '') ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(2, '0'));
}

/** For example `170.00`. */
export function rupeesText(amount: bigint): string {
  const text = String(amount).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

export function rupees(amount: bigint): Raw {
  return new Raw(rupeesText(amount));
}
