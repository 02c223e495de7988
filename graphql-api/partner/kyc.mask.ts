// What partners and admins see of tax and bank details. Masked on submission; the full values are sealed.

/** `AB******4F`: enough for the owner to recognize it. */
export function maskedPan(pan: string): string {
  return `${pan.slice(0, 2)}${'*'.repeat(pan.length - 4)}${pan.slice(-2)}`;
}

/** Masks all but the last four digits. */
export function maskedBankAccount(number: string): string {
  return `${'*'.repeat(number.length - 4)}${number.slice(-4)}`;
}
