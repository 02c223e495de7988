import { z } from 'zod';
import { MISSING, requiredText } from '../../schema/values/text.ts';
import { ids } from '../platform/operations.contract.ts';
import { ENTITY_TYPE_NAMES, isPanOf } from './entity-types.ts';
import { isBankAccountNumber, isGstin, isIfsc, isPan, panInside } from './indian-ids.ts';

/** The limit of banks and of the tax office. */
const NAME_CHARACTERS_MAX = 120;
/** PAN cards and tax statements use Latin letters. */
const PAN_NAME = /^[A-Za-z][A-Za-z0-9 .,&'()/-]*$/;

const PAN_EXAMPLE = 'AAAPA1234A';

/** Error messages must not repeat the value, since it may be sensitive. */
function code(isValid: (text: string) => boolean, error: string) {
  return z
    .string({ error: MISSING })
    .transform(text => text.replaceAll(' ', '').toUpperCase())
    .refine(isValid, { error });
}

const trimmedName = z
  .string({ error: MISSING })
  .transform(text => text.trim().replaceAll(/\s+/g, ' '))
  .pipe(requiredText(NAME_CHARACTERS_MAX));

const fields = {
  fullName: trimmedName.meta({
    description: 'The full name of the person or company.',
    example: 'Asha Rao',
  }),
  panNumber: code(isPan, `must be a PAN, such as ${PAN_EXAMPLE}.`).nullish().meta({
    description: 'The tax identifier (PAN). Without a PAN, payouts are taxed at a higher rate.',
    example: PAN_EXAMPLE,
  }),
  panName: trimmedName
    .refine(name => PAN_NAME.test(name), { error: 'must be in Latin letters, as on the PAN card.' })
    .nullish()
    .meta({
      description: 'The name on the PAN card. Allowed only together with `pan_number`.',
      example: 'ASHA RAO',
    }),
  gstNumber: code(isGstin, 'must be a GSTIN with a valid check character.')
    .nullish()
    .meta({
      description: 'The tax registration number (GSTIN). It must contain the given PAN.',
      example: `27${PAN_EXAMPLE}1ZT`,
    }),
  bankAccountNumber: z
    .string({ error: MISSING })
    .transform(text => text.replaceAll(' ', ''))
    .refine(isBankAccountNumber, { error: 'must have 9 to 18 digits.' })
    .meta({
      description: 'The number of the bank account that payouts are sent to.',
      example: '000123456789',
    }),
  bankIfsc: code(isIfsc, 'must be an IFSC, such as HDFC0001234.').meta({
    description: 'The IFSC of the bank branch.',
    example: 'HDFC0001234',
  }),
  bankAccountHolderName: trimmedName.meta({
    description: 'The account holder’s name as registered with the bank.',
    example: 'Asha Rao',
  }),
  entityType: z
    .enum(ENTITY_TYPE_NAMES, { error: `must be one of ${ENTITY_TYPE_NAMES.join(', ')}.` })
    .meta({ description: 'The legal form of the person or company.', example: 'INDIVIDUAL' }),
};

export const kycSubmitContract = z.strictObject(fields).check(faultsBetween(name => name));
export type KycSubmit = z.output<typeof kycSubmitContract>;

/** The same fields with the names used in the REST API. */
export const kycSubmitBody = z
  .strictObject({
    full_name: fields.fullName,
    pan_number: fields.panNumber,
    pan_name: fields.panName,
    gst_number: fields.gstNumber,
    bank_account_number: fields.bankAccountNumber,
    bank_ifsc: fields.bankIfsc,
    bank_account_holder_name: fields.bankAccountHolderName,
    entity_type: fields.entityType,
  })
  .check(faultsBetween(snakeCase))
  .meta({ id: 'KycSubmission' });

/** A few sentences that the affiliate can read. */
const REASON_CHARACTERS_MAX = 1_000;

export const kycApproveContract = z.strictObject({ ids });
export type KycApprove = z.output<typeof kycApproveContract>;

export const kycRejectContract = z.strictObject({
  ids,
  reason: z
    .string()
    .transform(reason => reason.trim())
    .pipe(requiredText(REASON_CHARACTERS_MAX)),
});
export type KycReject = z.output<typeof kycRejectContract>;

type Field = keyof typeof fields;
type Fault = readonly [Field, string];

/** Reports faults between fields together with the faults of single fields, in one response. */
function faultsBetween(nameOf: (field: Field) => string) {
  return z.core._check<Readonly<Record<string, unknown>>>(
    ({ value, issues }) => {
      const text = (field: Field) => {
        const sent = value[nameOf(field)];
        return typeof sent === 'string' ? sent : undefined;
      };
      for (const [field, message] of [...panFaults(text), ...entityFaults(text)])
        issues.push({ code: 'custom', path: [nameOf(field)], message, input: undefined });
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

function panFaults(text: (field: Field) => string | undefined): readonly Fault[] {
  const [pan, panName, gstin] = [text('panNumber'), text('panName'), text('gstNumber')];
  const faults: Fault[] = [];
  if (pan !== undefined && panName === undefined) faults.push(['panName', 'is missing.']);
  if (pan === undefined && panName !== undefined) faults.push(['panNumber', 'is missing.']);
  if (pan && gstin && isPan(pan) && isGstin(gstin) && panInside(gstin) !== pan)
    faults.push(['gstNumber', 'contains a different PAN.']);
  return faults;
}

function entityFaults(text: (field: Field) => string | undefined): readonly Fault[] {
  const [pan, gstin] = [text('panNumber'), text('gstNumber')];
  const entityType = ENTITY_TYPE_NAMES.find(name => name === text('entityType'));
  if (entityType === undefined) return [];
  if (pan !== undefined)
    return isPan(pan) && !isPanOf(entityType, pan)
      ? [['panNumber', 'does not match the entity type.']]
      : [];
  return gstin !== undefined && isGstin(gstin) && !isPanOf(entityType, panInside(gstin))
    ? [['gstNumber', 'does not match the entity type.']]
    : [];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
