// Parses the gateway's times and amounts from the text of exact-json.ts.

import { parseInstant } from '../values/instant.ts';
import { AMOUNT_MINOR_MAX, minorDigits, minorOf } from '../values/money.ts';

/** Times without a zone are in Indian time. */
const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const HAS_ZONE = /(?:Z|z|[+-]\d{2}(?::?\d{2})?)$/;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds since 1970; undefined if the text is not a time. */
export function gatewayTimeMs(text: string | undefined): number | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  if (instant === undefined) return undefined;
  const isLocal = DATE_ONLY.test(text!) || !HAS_ZONE.test(text!);
  return isLocal ? instant.ms - IST_OFFSET_MS : instant.ms;
}

const CURRENCY = /^[A-Z]{3}$/;
const AMOUNT = /^(\d{1,16})(?:\.(\d{1,10}))?$/;

/**
 * Converts `200.12` rupees to 20012 paise. Undefined if the text is not a valid amount: negative,
 * with an exponent, or with more decimals than the currency allows (trailing zeros are ignored).
 */
export function gatewayAmountMinor(
  text: string | undefined,
  currency: string | undefined,
): bigint | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text ?? '') ?? [];
  if (whole === undefined || !CURRENCY.test(currency ?? '')) return undefined;
  const digits = minorDigits(currency!);
  if (/[1-9]/.test(fraction.slice(digits))) return undefined;
  const minor = minorOf([whole, fraction.slice(0, digits)].filter(Boolean).join('.'), currency!);
  return minor !== undefined && minor <= AMOUNT_MINOR_MAX ? minor : undefined;
}
