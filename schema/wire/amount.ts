// Amounts as clients send them: a JSON number over REST, a decimal as a string over GraphQL. Actions
// get the string and read it by the currency at hand.

import { z } from 'zod';
import { AMOUNT_MINOR_MAX } from '../values/money.ts';

/** In main units of a currency with two decimals. */
const AMOUNT_MAX = Number(AMOUNT_MINOR_MAX / 100n);
const TWO_DECIMALS = /^\d+(?:\.\d{1,2})?$/;

/** A double has 15 digits for sure, so what was sent with two decimals is read with two. */
export const amountNumber = z
  .number({ error: 'must be a number.' })
  .gt(0, { error: 'must be above 0.' })
  .max(AMOUNT_MAX, { error: `must be at most ${AMOUNT_MAX}.` })
  .refine(amount => TWO_DECIMALS.test(String(amount)), {
    error: 'must have at most 2 decimals.',
  });

/** In the shortest way to write it, so that a repeat is one, however it writes the same amount. */
export const amountDecimal = z
  .string()
  .regex(TWO_DECIMALS, { error: 'must be above 0, with at most 2 decimals.' })
  .refine(amount => Number(amount) > 0 && Number(amount) <= AMOUNT_MAX, {
    error: `must be above 0 and at most ${AMOUNT_MAX}.`,
  })
  .transform(amount => amount.replace(/^0+(?=\d)/, '').replace(/(?:\.0*|(\.\d*[1-9])0+)$/, '$1'));
