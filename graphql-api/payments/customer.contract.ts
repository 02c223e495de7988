import { z } from 'zod';
import { MISSING, text } from '../../schema/values/text.ts';

/** The gateway's format: ten digits, or `+` and the country code. */
const PHONE = /^(?:\d{10}|\+[1-9]\d{7,14})$/;
const ID = /^[A-Za-z0-9_-]{3,50}$/;
const NAME_CHARACTERS_MAX = 100;

const phone = z
  .string({ error: MISSING })
  .transform(value => value.replaceAll(/[ -]/g, ''))
  .refine(value => PHONE.test(value), {
    error: 'must have 10 digits, or begin with + and a country code.',
  });
const email = z.email({ error: 'must be an email address.' }).max(NAME_CHARACTERS_MAX);
const name = text(NAME_CHARACTERS_MAX)
  .transform(value => value.trim())
  .refine(value => value.length >= 3, { error: 'must have at least 3 characters.' });

/** Sent to the gateway and not stored. */
export const gatewayCustomer = z.strictObject({
  phone,
  email: email.nullish(),
  name: name.nullish(),
});

/** The customer ID comes from the client. */
export const gatewayOrderCustomer = gatewayCustomer.extend({
  id: z.string().regex(ID, { error: 'must have 3 to 50 letters, digits, underscores or hyphens.' }),
});

/** The gateway also confirms a mandate by email, so the address is required. */
export const gatewaySubscriber = gatewayCustomer.extend({ email });

export type GatewayCustomer = z.output<typeof gatewayCustomer>;

/** The URL to which the customer is redirected afterwards. */
export const returnUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL.' })
  .max(250, { error: 'must have at most 250 characters.' });

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be a currency code, such as INR.' })
  .nullish()
  .transform(value => value ?? 'INR');

/** Accepts a Date from GraphQL or an ISO 8601 string from JSON. */
export const moment = z.union([
  z.date(),
  z.iso.datetime({ offset: true }).transform(value => new Date(value)),
]);
