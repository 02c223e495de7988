import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { amountDecimal } from '../platform/amount.contract.ts';
import { note } from './tags.contract.ts';

const NOTE_CHARACTERS_MAX = 100;
const PAYMENT_ID_CHARACTERS_MAX = 60;

export const REFUND_SPEEDS = ['STANDARD', 'INSTANT'] as const;

export const gatewayRefundCreateContract = z.strictObject({
  /** The gateway's own: its digits may be more than a number keeps. */
  paymentId: requiredText(PAYMENT_ID_CHARACTERS_MAX),
  /** All that is left of the payment where it is left out. */
  amount: amountDecimal.nullish(),
  note: note(NOTE_CHARACTERS_MAX),
  speed: z.enum(REFUND_SPEEDS).nullish(),
});
export type GatewayRefundCreate = z.output<typeof gatewayRefundCreateContract>;
