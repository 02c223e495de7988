import { AMOUNT_MINOR_MAX, isAmount, minorOf } from '../platform/money.ts';
import { reject } from '../platform/rejected.ts';

/** Rejects amounts that are not positive or exceed the maximum. */
export function requireAmount(amountMinor: bigint, field: string): void {
  if (isAmount(amountMinor)) return;
  reject('BAD_USER_INPUT', {
    field: [field],
    message: `${field} must be greater than 0 and at most ${AMOUNT_MINOR_MAX} minor units.`,
  });
}

/** Parses an amount of a request. The contract allows two decimals; some currencies have fewer. */
export function requireMinor(decimal: string, currency: string, field: string): bigint {
  const amountMinor = minorOf(decimal, currency);
  if (amountMinor === undefined)
    return reject('BAD_USER_INPUT', {
      field: [field],
      message: `${field} has more decimal places than ${currency} allows.`,
    });
  requireAmount(amountMinor, field);
  return amountMinor;
}
