import { AMOUNT_MINOR_MAX, minorDigits, minorOf } from '../platform/money.ts';

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
