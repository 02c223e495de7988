// Amounts as clients send them: a JSON number over REST, a decimal as a string over GraphQL. Actions
// get the string and read it by the currency at hand.

import { z } from 'zod';
import { AMOUNT_MINOR_MAX } from '../../schema/values/money.ts';
import { MISSING } from '../../schema/values/text.ts';

/** In main units of a currency with two decimals. */
const AMOUNT_MAX = Number(AMOUNT_MINOR_MAX / 100n);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const TWO_DECIMALS = /^\d+(?:\.\d{1,2})?$/;

// Of an amount that is wrong in several ways, the first is told: the others may follow from it.
const NOT_ABOVE_0 = { error: 'must be above 0.', abort: true };
const TOO_LARGE = { error: `must be at most ${AMOUNT_MAX}.`, abort: true };
const TOO_FINE = { error: 'must have at most 2 decimals.', abort: true };

/** A double has 15 digits for sure, so what was sent with two decimals is read with two. */
export const amountNumber = z
  .number({ error: 'is missing or no number.' })
  .gt(0, NOT_ABOVE_0)
  .max(AMOUNT_MAX, TOO_LARGE)
  .refine(amount => TWO_DECIMALS.test(String(amount)), TOO_FINE);

/** In the shortest way to write it, so that a repeat is one, however it writes the same amount. */
export const amountDecimal = z
  .string({ error: MISSING })
  .regex(DECIMAL, { error: 'must be an amount, such as 1204.50.', abort: true })
  .refine(amount => Number(amount) > 0, NOT_ABOVE_0)
  .refine(amount => Number(amount) <= AMOUNT_MAX, TOO_LARGE)
  .refine(amount => TWO_DECIMALS.test(amount), TOO_FINE)
  .transform(amount => amount.replace(/^0+(?=\d)/, '').replace(/(?:\.0*|(\.\d*[1-9])0+)$/, '$1'));
