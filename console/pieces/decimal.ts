// Amounts are exact decimals as text. Nothing here calculates with them.

const ZERO = /^-?0+(?:\.0+)?$/;
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;

export const isZero = (amount: string) => ZERO.test(amount);
export const isNegative = (amount: string) => amount.startsWith('-') && !isZero(amount);

/** `1204.50` for `1,204.50` as somebody types it; undefined for what is no amount. */
export function readAmount(typed: string): string | undefined {
  const amount = typed.replaceAll(/[\s,]/g, '');
  return AMOUNT.test(amount) && !isZero(amount) ? amount : undefined;
}
