import { z } from 'zod';
import { MISSING } from '../../schema/values/text.ts';
import { isBankAccountNumber, isGstin, isIfsc, isPan } from '../partner/indian-ids.ts';
import { MISCELLANEOUS, VENDOR_BUSINESS_TYPES } from './vendor-business-types.ts';

/** The special characters that the gateway allows in a vendor name. */
const NAME = /^[\p{L}\p{N} ./&-]{1,100}$/u;
const PHONE = /^\d{8,12}$/;
const UPI_ADDRESS = /^[A-Za-z0-9._-]{2,60}@[A-Za-z0-9.-]{2,39}$/;
const EMAIL_CHARACTERS_MAX = 100;
const KNOWN: ReadonlySet<string> = new Set(VENDOR_BUSINESS_TYPES);

const compact = z
  .string({ error: MISSING })
  .transform(value => value.replaceAll(' ', '').toUpperCase());

const name = z
  .string({ error: MISSING })
  .transform(value => value.trim())
  .refine(value => NAME.test(value), {
    error: 'must contain only letters, digits, spaces, dots, slashes, hyphens and ampersands.',
  });

const businessType = z.string().refine(value => KNOWN.has(value), {
  error: ({ input }) =>
    input === 'Other'
      ? `must not be Other. Use ${MISCELLANEOUS}.`
      : `must be a value that gatewayVendorBusinessTypes returns. Use ${MISCELLANEOUS} if no other type applies.`,
});

const bank = z.strictObject({
  accountNumber: compact.refine(isBankAccountNumber, { error: 'must have 9 to 18 digits.' }),
  ifsc: compact.refine(isIfsc, { error: 'must be an IFSC, such as HDFC0001234.' }),
  accountHolder: name,
});

const upi = z.strictObject({
  vpa: z.string().regex(UPI_ADDRESS, { error: 'must be a UPI address, such as name@bank.' }),
  accountHolder: name,
});

const fields = {
  name,
  email: z.email({ error: 'must be an email address.' }).max(EMAIL_CHARACTERS_MAX),
  phone: z.string().regex(PHONE, { error: 'must have 8 to 12 digits.' }),
  businessType,
  bank: bank.nullish(),
  upi: upi.nullish(),
};

export const gatewayVendorCreateContract = z
  .strictObject({
    ...fields,
    accountType: z.enum(['BUSINESS', 'INDIVIDUAL']),
    pan: compact.refine(isPan, { error: 'must be a PAN, such as AAAPA1234A.' }),
    gstin: compact.refine(isGstin, { error: 'must be a valid GSTIN.' }).nullish(),
  })
  .refine(({ bank: account, upi: address }) => (account == null) !== (address == null), {
    error: 'requires either a bank account or a UPI address, not both.',
    path: ['bank'],
  });
export type GatewayVendorCreate = z.output<typeof gatewayVendorCreateContract>;

export const gatewayVendorUpdateContract = z
  .strictObject({
    id: z.uuid(),
    name: name.nullish(),
    email: fields.email.nullish(),
    phone: fields.phone.nullish(),
    businessType: businessType.nullish(),
    bank: bank.nullish(),
    upi: upi.nullish(),
  })
  .refine(({ bank: account, upi: address }) => account == null || address == null, {
    error: 'accepts either a bank account or a UPI address, not both.',
    path: ['bank'],
  });
export type GatewayVendorUpdate = z.output<typeof gatewayVendorUpdateContract>;

export const gatewayVendorDeleteContract = z.strictObject({ id: z.uuid() });
