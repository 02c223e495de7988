import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { amountDecimal } from '../platform/amount.contract.ts';
import { note } from './note.contract.ts';

const NOTE_CHARACTERS_MAX = 100;
const PAYMENT_ID_CHARACTERS_MAX = 60;

const REFUND_SPEEDS = ['STANDARD', 'INSTANT'] as const;

export const gatewayRefundCreateContract = z.strictObject({
  /** A string, because the gateway's numeric ID may exceed the precision of a number. */
  paymentId: requiredText(PAYMENT_ID_CHARACTERS_MAX),
  /** Defaults to the amount that is not refunded yet. */
  amount: amountDecimal.nullish(),
  note: note(NOTE_CHARACTERS_MAX),
  speed: z.enum(REFUND_SPEEDS).nullish(),
});
export type GatewayRefundCreate = z.output<typeof gatewayRefundCreateContract>;
