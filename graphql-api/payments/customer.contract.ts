import { z } from 'zod';
import { MISSING, text } from '../../schema/values/text.ts';

/** As the gateway has them: ten digits, or with + and a country's code. */
const PHONE = /^(?:\d{10}|\+[1-9]\d{7,14})$/;
const ID = /^[A-Za-z0-9_-]{3,50}$/;
const NAME_CHARACTERS_MAX = 100;

const phone = z
  .string({ error: MISSING })
  .transform(value => value.replaceAll(/[ -]/g, ''))
  .refine(value => PHONE.test(value), { error: 'must have 10 digits, or + and its country.' });
const email = z.email({ error: 'must be an email address.' }).max(NAME_CHARACTERS_MAX);
const name = text(NAME_CHARACTERS_MAX)
  .transform(value => value.trim())
  .refine(value => value.length >= 3, { error: 'must have at least 3 characters.' });

/** Whom the gateway asks for money. Passed on and not kept here. */
export const gatewayCustomer = z.strictObject({
  phone,
  email: email.nullish(),
  name: name.nullish(),
});

/** An order's customer has an id of ours or the client's. */
export const gatewayOrderCustomer = gatewayCustomer.extend({
  id: z.string().regex(ID, { error: 'must have 3 to 50 letters, digits, _ and -' }),
});

/** A mandate is confirmed by email, too. */
export const gatewaySubscriber = gatewayCustomer.extend({ email });

export type GatewayCustomer = z.output<typeof gatewayCustomer>;

/** Where the customer comes back to. */
export const returnUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http address.' })
  .max(250, { error: 'must have at most 250 characters.' });

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be a currency of three letters.' })
  .nullish()
  .transform(value => value ?? 'INR');

/** As a program has it, or as JSON has it. */
export const moment = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform(value => new Date(value)),
]);
