import { z } from 'zod';
import { amountDecimal } from '../platform/amount.contract.ts';
import { currency, gatewayOrderCustomer, moment, returnUrl } from './customer.contract.ts';
import { note } from './note.contract.ts';
import { tags } from './tags.contract.ts';

const NOTE_CHARACTERS_MAX = 200;
/** More receivers than a store's cart has sellers. */
const SPLITS_MAX = 50;
const PERCENTAGE = /^\d{1,3}(?:\.\d{1,2})?$/;

/** A vendor's part of an order: either an amount or a percentage. */
const split = z
  .strictObject({
    /** The ID of the vendor. */
    id: z.uuid(),
    amount: amountDecimal.nullish(),
    percentage: z
      .string()
      .regex(PERCENTAGE, { error: 'must have at most 2 decimal places.' })
      .refine(value => Number(value) > 0 && Number(value) <= 100, {
        error: 'must be greater than 0 and at most 100.',
      })
      .nullish(),
  })
  .refine(({ amount, percentage }) => (amount == null) !== (percentage == null), {
    error: 'requires either an amount or a percentage, not both.',
  });

export const gatewayOrderCreateContract = z.strictObject({
  amount: amountDecimal,
  currency,
  customer: gatewayOrderCustomer,
  note: note(NOTE_CHARACTERS_MAX),
  tags,
  splits: z
    .array(split)
    .max(SPLITS_MAX)
    .refine(list => new Set(list.map(({ id }) => id)).size === list.length, {
      error: 'must not contain the same vendor twice.',
    })
    .nullish()
    .transform(list => list ?? []),
  returnUrl: returnUrl.nullish(),
  expiresAt: moment.nullish(),
});
export type GatewayOrderCreate = z.output<typeof gatewayOrderCreateContract>;
