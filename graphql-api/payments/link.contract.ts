import { z } from 'zod';
import { text } from '../../schema/values/text.ts';
import { amountDecimal } from '../platform/amount.contract.ts';
import { currency, gatewayCustomer, moment, returnUrl } from './customer.contract.ts';
import { sanitisedNote } from './note.contract.ts';
import { linkNotes } from './tags.contract.ts';

const PURPOSE_CHARACTERS_MAX = 500;

const fields = {
  amount: amountDecimal,
  currency,
  purpose: text(PURPOSE_CHARACTERS_MAX)
    .transform(value => sanitisedNote(value) ?? '')
    .refine(value => value !== '', { error: 'must not be empty.' }),
  customer: gatewayCustomer,
  notes: linkNotes,
  expiresAt: moment.nullish(),
  returnUrl: returnUrl.nullish(),
};

export const gatewayLinkCreateContract = z.strictObject({
  ...fields,
  /** If set, partial payments of at least this amount are allowed. */
  minimumPartialAmount: amountDecimal.nullish(),
  isSentBySms: z.boolean().nullish(),
  isSentByEmail: z.boolean().nullish(),
});
export type GatewayLinkCreate = z.output<typeof gatewayLinkCreateContract>;

export const gatewayLinkCancelContract = z.strictObject({ id: z.uuid() });

/** A link by which an organization pays the platform. */
export const billingLinkCreateContract = z.strictObject({ ...fields, organizationId: z.uuid() });
export type BillingLinkCreate = z.output<typeof billingLinkCreateContract>;
