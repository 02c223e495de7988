// Identifiers of Indian tax and banking, in upper case and without spaces.

/**
 * Permanent account number. The fourth letter is the kind of taxpayer; the last is a check letter
 * whose algorithm is not public.
 */
const PAN = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/;
/** State, PAN, registration number within the PAN, Z, check character. */
const GSTIN = /^\d{2}[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z][1-9A-Z]Z[\dA-Z]$/;
/** Bank, zero, branch. */
const IFSC = /^[A-Z]{4}0[A-Z\d]{6}$/;
const BANK_ACCOUNT = /^\d{9,18}$/;

const BASE = 36;

export function isPan(text: string): boolean {
  return PAN.test(text);
}

/** Whether the text is well-formed and has a valid check character. */
export function isGstin(text: string): boolean {
  return GSTIN.test(text) && checkCharacter(text.slice(0, -1)) === text.at(-1);
}

export function panInside(gstin: string): string {
  return gstin.slice(2, 12);
}

export function isIfsc(text: string): boolean {
  return IFSC.test(text);
}

export function isBankAccountNumber(text: string): boolean {
  return BANK_ACCOUNT.test(text);
}

/**
 * Characters have the values 0 to 35. Every second value is doubled, and the carry above 35 is
 * added.
 */
function checkCharacter(text: string): string {
  let sum = 0;
  for (const [index, character] of text.split('').entries()) {
    const product = Number.parseInt(character, BASE) * (1 + (index % 2));
    sum += Math.floor(product / BASE) + (product % BASE);
  }
  return ((BASE - (sum % BASE)) % BASE).toString(BASE).toUpperCase();
}
