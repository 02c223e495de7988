// Money is a whole number of the currency's smallest unit, never a floating-point number.

export type Money = {
  readonly amountMinor: bigint;
  /** ISO 4217. */
  readonly currencyCode: string;
};

const digitsByCurrency = new Map<string, number>();

/** How many decimals the currency's smallest unit stands for: 2 for INR, 0 for JPY, 3 for KWD. */
export function minorDigits(currencyCode: string): number {
  let digits = digitsByCurrency.get(currencyCode);
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
    digits = format.resolvedOptions().maximumFractionDigits ?? 0;
    digitsByCurrency.set(currencyCode, digits);
  }
  return digits;
}

/** `1204.50` for 120450 paise: all decimals that the currency has, no more. */
export function decimalOf({ amountMinor, currencyCode }: Money): string {
  const digits = minorDigits(currencyCode);
  const sign = amountMinor < 0n ? '-' : '';
  const text = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(digits + 1, '0');
  if (digits === 0) return `${sign}${text}`;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Ten trillion rupees: no single amount is more, so that sums of very many stay within a bigint. */
export const AMOUNT_MINOR_MAX = 10n ** 15n;

/** Whether it can be an amount of a payment, an invoice or a request. */
export function isAmount(amountMinor: bigint): boolean {
  return amountMinor > 0n && amountMinor <= AMOUNT_MINOR_MAX;
}

/** As JSON has it: exact, since an amount has far fewer digits than a double. */
export function numberOf(money: Money): number {
  return Number(decimalOf(money));
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** 120450 paise for `1204.5`; undefined where it has more decimals than the currency, or is no number. */
export function minorOf(decimal: string, currencyCode: string): bigint | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  const digits = minorDigits(currencyCode);
  if (whole === undefined || fraction.length > digits) return undefined;
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}
