// Amounts are exact decimals as text. The code here compares them, but does not calculate with them.

import { DECIMAL_SIGN } from './in-words.ts';

const ZERO = /^-?0+(?:\.0+)?$/;
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
/** As in 1,204,500 or 12,04,500. `12,50` is not valid: it could be read as 1250. */
const GROUPED = /^\d{1,3}(?:[,\s’]\d{2,3})*[,\s’]\d{3}(?:\.\d+)?$/;
/** As in 1.204.500,00, where the decimal sign is a comma. */
const GROUPED_BEFORE_COMMA = /^\d{1,3}(?:[.\s’]\d{2,3})*[.\s’]\d{3}(?:,\d+)?$/;

export const isZero = (amount: string) => ZERO.test(amount);
export const isNegative = (amount: string) => amount.startsWith('-') && !isZero(amount);

/** Whether an amount is more than the others together; all at least zero, as from `readAmount` and the API. */
export function isMore(amount: string, ...others: readonly string[]): boolean {
  const places = Math.max(...[amount, ...others].map(text => decimalsOf(text).length));
  const minorOf = (text: string) =>
    BigInt(text.split('.')[0] + decimalsOf(text).padEnd(places, '0'));
  return minorOf(amount) > others.reduce((sum, other) => sum + minorOf(other), 0n);
}

const decimalsOf = (amount: string) => amount.split('.')[1] ?? '';

/** Returns `1204.50` for the input `1,204.50`, or `1.204,50` where that is the viewer’s way; undefined if the input is not an amount. */
export function readAmount(typed: string, decimalSign = DECIMAL_SIGN): string | undefined {
  const text = typed.trim();
  const amount = decimalSign === ',' ? withoutGroupsBeforeComma(text) : withoutGroups(text);
  return AMOUNT.test(amount) && !isZero(amount) ? amount : undefined;
}

function withoutGroups(text: string): string {
  return GROUPED.test(text) ? text.replaceAll(/[\s,’]/g, '') : text;
}

function withoutGroupsBeforeComma(text: string): string {
  const whole = GROUPED_BEFORE_COMMA.test(text) ? text.replaceAll(/[\s.’]/g, '') : text;
  return whole.replace(',', '.');
}

/** An amount of the API as the viewer would type it. */
export function asTyped(amount: string): string {
  return amount.replace('.', DECIMAL_SIGN);
}
