// An amount is an integer of the currency's smallest unit, never a floating-point number.

export type Money = {
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currencyCode: string;
};

const digitsByCurrency = new Map<string, number>();

/** The number of decimals of the currency: 2 for INR, 0 for JPY, 3 for KWD. */
export function minorDigits(currencyCode: string): number {
  let digits = digitsByCurrency.get(currencyCode);
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
    digits = format.resolvedOptions().maximumFractionDigits ?? 0;
    digitsByCurrency.set(currencyCode, digits);
  }
  return digits;
}

/** Formats 120450 paise as `1204.50`, with exactly the decimals of the currency. */
export function decimalOf({ amountMinor, currencyCode }: Money): string {
  const digits = minorDigits(currencyCode);
  const sign = amountMinor < 0n ? '-' : '';
  const text = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(digits + 1, '0');
  if (digits === 0) return `${sign}${text}`;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Ten trillion rupees. The limit keeps sums of many amounts within Postgres's bigint. */
export const AMOUNT_MINOR_MAX = 10n ** 15n;

/** Whether this is a valid amount of a payment, an invoice or a request. */
export function isAmount(amountMinor: bigint): boolean {
  return amountMinor > 0n && amountMinor <= AMOUNT_MINOR_MAX;
}

/** The amount as a JSON number. Exact, because an amount has fewer digits than a double holds. */
export function numberOf(money: Money): number {
  return Number(decimalOf(money));
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Parses `1204.5` as 120450 paise; undefined if it is not a number or has more decimals than
 * the currency. */
export function minorOf(decimal: string, currencyCode: string): bigint | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const digits = minorDigits(currencyCode);
  if (whole === undefined || fraction.length > digits) return undefined;
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}
