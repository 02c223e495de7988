// Amounts in requests: a JSON number in REST, a decimal string in GraphQL. Actions receive the
// string and parse it with the currency of the amount.

import { z } from 'zod';
import { MISSING } from '../../schema/values/text.ts';
import { AMOUNT_MINOR_MAX } from './money.ts';

/** The maximum amount, in main units of a currency with two decimals. */
const AMOUNT_MAX = Number(AMOUNT_MINOR_MAX / 100n);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const TWO_DECIMALS = /^\d+(?:\.\d{1,2})?$/;

// Only the first fault of an amount is reported, because the others may follow from it.
const NOT_ABOVE_0 = { error: 'must be greater than 0.', abort: true };
const TOO_LARGE = { error: `must be at most ${AMOUNT_MAX}.`, abort: true };
const TOO_FINE = { error: 'must have at most 2 decimal places.', abort: true };

/** A double holds 15 decimal digits exactly, so an amount sent with two decimals keeps them. */
export const amountNumber = z
  .number({ error: 'is missing or not a number.' })
  .gt(0, NOT_ABOVE_0)
  .max(AMOUNT_MAX, TOO_LARGE)
  .refine(amount => TWO_DECIMALS.test(String(amount)), TOO_FINE);

/** Normalized to the shortest form, so that an idempotent repeat matches however it writes the
 * amount. */
export const amountDecimal = z
  .string({ error: MISSING })
  .regex(DECIMAL, { error: 'must be an amount, such as 1204.50.', abort: true })
  .refine(amount => Number(amount) > 0, NOT_ABOVE_0)
  .refine(amount => Number(amount) <= AMOUNT_MAX, TOO_LARGE)
  .refine(amount => TWO_DECIMALS.test(amount), TOO_FINE)
  .transform(amount => amount.replace(/^0+(?=\d)/, '').replace(/(?:\.0*|(\.\d*[1-9])0+)$/, '$1'));
