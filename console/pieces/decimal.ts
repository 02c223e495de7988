// Amounts are exact decimals as text. The code here does not calculate with them.

const ZERO = /^-?0+(?:\.0+)?$/;
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
/** As in 1,204,500 or 12,04,500. `12,50` is not valid: it could be read as 1250. */
const GROUPED = /^\d{1,3}(?:[,\s]\d{2,3})*[,\s]\d{3}(?:\.\d+)?$/;

export const isZero = (amount: string) => ZERO.test(amount);
export const isNegative = (amount: string) => amount.startsWith('-') && !isZero(amount);

/** Returns `1204.50` for the input `1,204.50`; undefined if the input is not an amount. */
export function readAmount(typed: string): string | undefined {
  const text = typed.trim();
  const amount = GROUPED.test(text) ? text.replaceAll(/[\s,]/g, '') : text;
  return AMOUNT.test(amount) && !isZero(amount) ? amount : undefined;
}
